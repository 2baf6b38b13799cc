// Mistake: a depth-first search that takes a position still being searched for what is known of it so far, and remembers what follows.
#include <array>
#include <cstdio>

namespace {

enum { Win = 1, Draw = 2, Lose = 3, Busy = 99 };

std::array<int, 10000> memory{};
std::array<int, 10000> chosen{};

int after(int state, int move) {
    int own[2] = {state / 1000, state / 100 % 10};
    int other[2] = {state / 10 % 10, state % 10};
    int& mine = own[move / 2];
    int touched = other[move % 2];
    if (mine == 0 || touched == 0) return -1;
    mine = (mine + touched) % 10;
    return other[0] * 1000 + other[1] * 100 + own[0] * 10 + own[1];
}

int search(int state) {
    if (state / 100 == 0) return Win;
    if (state % 100 == 0) return Lose;
    if (memory[state] == Busy) return Draw;
    if (memory[state] != 0) return memory[state];
    memory[state] = Busy;
    for (int move = 0; move < 4; ++move) {
        int next = after(state, move);
        if (next < 0) continue;
        int result = Win + Lose - search(next);
        if (result < memory[state]) {
            memory[state] = result;
            chosen[state] = move;
        }
    }
    return memory[state];
}

}  // namespace

int main() {
    const char* const values[] = {"", "WIN", "DRAW", "LOSE"};
    const char* const moves[] = {"ll", "lr", "rl", "rr"};
    for (int state = 0; state < 10000; ++state) search(state);
    int count, a, b, c, d;
    if (std::scanf("%d", &count) != 1) return 0;
    while (count-- > 0 && std::scanf("%d %d %d %d", &a, &b, &c, &d) == 4) {
        int state = a * 1000 + b * 100 + c * 10 + d;
        std::printf("%s %s\n", values[memory[state]], moves[chosen[state]]);
    }
}
