// Mistake: counts the universes in 32 bits.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace {

using Count = std::uint32_t;

const int kWays[7] = {1, 3, 6, 7, 6, 3, 1};
std::pair<Count, Count> memo[11][21][11][21];
bool known[11][21][11][21];

std::pair<Count, Count> play(int place, int score, int other_place, int other_score) {
    auto& result = memo[place][score][other_place][other_score];
    if (known[place][score][other_place][other_score]) return result;
    for (int sum = 3; sum <= 9; ++sum) {
        const Count ways = kWays[sum - 3];
        const int there = (place + sum - 1) % 10 + 1;
        if (score + there >= 21) {
            result.first += ways;
        } else {
            const auto [lost, won] = play(other_place, other_score, there, score + there);
            result.first += ways * won;
            result.second += ways * lost;
        }
    }
    known[place][score][other_place][other_score] = true;
    return result;
}

}  // namespace

int main() {
    int start[2];
    for (int& place : start) {
        if (std::scanf("Player %*d starting position: %d ", &place) != 1) return 1;
    }
    const auto [first, second] = play(start[0], 0, start[1], 0);
    std::printf("%u\n", static_cast<unsigned>(std::max(first, second)));
}
