// Mistake: a depth-first search that takes a position still being searched for what is known of it so far, and remembers what follows.
#include <array>
#include <iostream>
#include <string>

namespace {

enum { Win = 1, Draw = 2, Lose = 3, Busy = 99 };

const int maxPlies = 200;
const std::array<std::string, 4> names = {"ll", "lr", "rl", "rr"};
std::array<int, 10000> memory{};
std::array<int, 10000> chosen{};

// The position, seen by the other player, after a move; -1 if it is illegal.
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
    for (int state = 0; state < 10000; ++state) search(state);
    std::string side;
    int a, b, c, d;
    std::cin >> side >> a >> b >> c >> d;
    bool mine = side == "first";
    int state = mine ? a * 1000 + b * 100 + c * 10 + d : c * 1000 + d * 100 + a * 10 + b;
    for (int ply = 0; ply < maxPlies && state % 100 != 0; ++ply) {
        int move = 0;
        if (mine) {
            move = chosen[state];
            std::cout << names[move] << std::endl;
        } else {
            std::string name;
            std::cin >> name;
            while (move < 4 && names[move] != name) ++move;
            if (move == 4) return 0;
        }
        state = after(state, move);
        mine = !mine;
    }
    std::string result;
    std::cin >> result;
}
