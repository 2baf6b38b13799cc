// Carries the counts of all undecided universes forward, turn by turn, over both places and both scores.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace {

// By place (from 0) and score of the player to move, then of the other.
using Counts = std::array<std::array<std::array<std::array<std::uint64_t, 21>, 10>, 21>, 10>;

const int kWays[7] = {1, 3, 6, 7, 6, 3, 1};

// One turn: returns the universes the mover wins in it; those left go to `next`, with the roles exchanged.
std::uint64_t turn(const Counts& now, Counts& next, bool& any_left) {
    std::uint64_t won = 0;
    any_left = false;
    for (int place = 0; place < 10; ++place) {
        for (int score = 0; score < 21; ++score) {
            for (int other_place = 0; other_place < 10; ++other_place) {
                for (int other_score = 0; other_score < 21; ++other_score) {
                    const std::uint64_t count = now[place][score][other_place][other_score];
                    if (count == 0) continue;
                    for (int sum = 3; sum <= 9; ++sum) {
                        const int there = (place + sum) % 10;
                        const int total = score + there + 1;
                        if (total >= 21) {
                            won += count * kWays[sum - 3];
                        } else {
                            next[other_place][other_score][there][total] += count * kWays[sum - 3];
                            any_left = true;
                        }
                    }
                }
            }
        }
    }
    return won;
}

}  // namespace

int main() {
    int start[2];
    for (int& place : start) {
        if (std::scanf("Player %*d starting position: %d ", &place) != 1) return 1;
        --place;
    }
    auto now = std::make_unique<Counts>();
    (*now)[start[0]][0][start[1]][0] = 1;
    std::uint64_t wins[2] = {0, 0};
    bool any_left = true;
    for (int player = 0; any_left; player = 1 - player) {
        auto next = std::make_unique<Counts>();
        wins[player] += turn(*now, *next, any_left);
        now = std::move(next);
    }
    std::printf("%llu\n", static_cast<unsigned long long>(std::max(wins[0], wins[1])));
}
