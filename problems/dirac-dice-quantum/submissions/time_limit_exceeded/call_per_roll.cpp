// Slow: a call for every single roll and no memory, so it visits every universe.
#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

std::uint64_t wins[2];

void roll(int player, int rolls_left, int place, int score, int other_place, int other_score) {
    if (rolls_left > 0) {
        for (int face = 1; face <= 3; ++face) {
            roll(player, rolls_left - 1, (place + face - 1) % 10 + 1, score, other_place, other_score);
        }
    } else if (score + place >= 21) {
        ++wins[player];
    } else {
        roll(1 - player, 3, other_place, other_score, place, score + place);
    }
}

}  // namespace

int main() {
    int start[2];
    for (int& place : start) {
        if (std::scanf("Player %*d starting position: %d ", &place) != 1) return 1;
    }
    roll(0, 3, start[0], 0, start[1], 0);
    std::printf("%llu\n", static_cast<unsigned long long>(std::max(wins[0], wins[1])));
}
