// Sweeps over all positions until nothing changes any more; then any move that keeps the value is printed.
#include <array>
#include <iostream>
#include <string>

namespace {

enum Value : char { Draw, Win, Lose };

struct State {
    int a, b, c, d;
    int id() const { return ((a * 10 + b) * 10 + c) * 10 + d; }
};

const std::array<const char*, 4> names = {"ll", "lr", "rl", "rr"};
std::array<Value, 10000> value{};

bool play(const State& s, int move, State& next) {
    int mine = move < 2 ? s.a : s.b;
    int touched = move % 2 == 0 ? s.c : s.d;
    if (mine == 0 || touched == 0) return false;
    int sum = (mine + touched) % 10;
    next = {s.c, s.d, move < 2 ? sum : s.a, move < 2 ? s.b : sum};
    return true;
}

Value best(const State& s) {
    bool lost = true;
    State next;
    for (int move = 0; move < 4; ++move) {
        if (!play(s, move, next)) continue;
        if (value[next.id()] == Lose) return Win;
        if (value[next.id()] != Win) lost = false;
    }
    return lost ? Lose : Draw;
}

void solve() {
    for (int id = 100; id < 10000; id += 100) value[id] = Lose;
    for (bool changed = true; changed;) {
        changed = false;
        for (int id = 0; id < 10000; ++id) {
            State s{id / 1000, id / 100 % 10, id / 10 % 10, id % 10};
            if (value[id] != Draw || s.a + s.b == 0 || s.c + s.d == 0) continue;
            value[id] = best(s);
            changed |= value[id] != Draw;
        }
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    solve();
    int count;
    std::cin >> count;
    while (count-- > 0) {
        State s, next;
        std::cin >> s.a >> s.b >> s.c >> s.d;
        Value result = value[s.id()];
        Value wanted = result == Win ? Lose : result == Lose ? Win : Draw;
        for (int move = 3; move >= 0; --move) {
            if (play(s, move, next) && value[next.id()] == wanted) {
                std::cout << (result == Win ? "WIN " : result == Lose ? "LOSE " : "DRAW ") << names[move] << '\n';
                break;
            }
        }
    }
}
