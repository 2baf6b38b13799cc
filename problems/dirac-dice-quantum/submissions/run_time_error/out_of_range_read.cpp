// Crash: looks up the result of a score of 21 or more before asking whether the game is over.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

using Wins = std::pair<std::uint64_t, std::uint64_t>;

const int kWays[7] = {1, 3, 6, 7, 6, 3, 1};
std::vector<Wins> memo(10 * 10 * 21 * 21);  // the scores 0 to 20, with the places from 0

Wins play(int place, int score, int other_place, int other_score) {
    Wins& result = memo.at((other_score * 21 + score) * 100 + place * 10 + other_place);
    if (other_score >= 21) return {0, 1};
    if (result.first + result.second > 0) return result;
    for (int sum = 3; sum <= 9; ++sum) {
        const int there = (place + sum) % 10;
        const auto [lost, won] = play(other_place, other_score, there, score + there + 1);
        result.first += kWays[sum - 3] * won;
        result.second += kWays[sum - 3] * lost;
    }
    return result;
}

}  // namespace

int main() {
    int start[2];
    for (int& place : start) {
        if (std::scanf("Player %*d starting position: %d ", &place) != 1) return 1;
        --place;
    }
    const auto [first, second] = play(start[0], 0, start[1], 0);
    std::printf("%llu\n", static_cast<unsigned long long>(std::max(first, second)));
}
