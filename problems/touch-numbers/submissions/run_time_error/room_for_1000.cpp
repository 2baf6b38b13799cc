// Crashes: keeps the positions in an array with room for 1000, and writes past its end when there are more.
#include <array>
#include <iostream>

namespace {

std::array<int, 10000> value{};  // 1: the player to move wins, -1: loses
std::array<int, 1000> asked{};

int after(int state, int move) {
    int own[2] = {state / 1000, state / 100 % 10};
    int other[2] = {state / 10 % 10, state % 10};
    int& mine = own[move / 2];
    int touched = other[move % 2];
    if (mine == 0 || touched == 0) return -1;
    mine = (mine + touched) % 10;
    return other[0] * 1000 + other[1] * 100 + own[0] * 10 + own[1];
}

int bestMove(int state) {
    int best = -1;
    for (int move = 0; move < 4; ++move) {
        int next = after(state, move);
        if (next >= 0 && (best < 0 || value[next] < value[after(state, best)])) best = move;
    }
    return best;
}

}  // namespace

int main() {
    for (int state = 100; state < 10000; state += 100) value[state] = -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int state = 0; state < 10000; ++state) {
            if (value[state] != 0 || state / 100 == 0 || state % 100 == 0) continue;
            value[state] = -value[after(state, bestMove(state))];
            changed |= value[state] != 0;
        }
    }
    int count;
    std::cin >> count;
    for (int i = 0; i < count; ++i) {
        int a, b, c, d;
        std::cin >> a >> b >> c >> d;
        asked.at(i) = a * 1000 + b * 100 + c * 10 + d;
    }
    const char* const names[] = {"LOSE", "DRAW", "WIN"};
    const char* const moves[] = {"ll", "lr", "rl", "rr"};
    for (int i = 0; i < count; ++i) {
        std::cout << names[value[asked[i]] + 1] << ' ' << moves[bestMove(asked[i])] << '\n';
    }
}
