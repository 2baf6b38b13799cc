// Crashes: writes the moves down in an array with room for 100, and past its end in longer games.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <tuple>

namespace {

const int maxPlies = 200;
const std::array<std::string, 4> names = {"ll", "lr", "rl", "rr"};
std::array<int, 10000> value{};  // 1: the player to move wins, -1: loses
std::array<int, 10000> plies{};  // in so many plies
std::array<int, 100> history{};

int after(int state, int move) {
    int own[2] = {state / 1000, state / 100 % 10};
    int other[2] = {state / 10 % 10, state % 10};
    int& mine = own[move / 2];
    int touched = other[move % 2];
    if (mine == 0 || touched == 0) return -1;
    mine = (mine + touched) % 10;
    return other[0] * 1000 + other[1] * 100 + own[0] * 10 + own[1];
}

void solve() {
    for (int state = 100; state < 10000; state += 100) value[state] = -1;
    bool changed = true;
    for (int depth = 1; changed; ++depth) {
        changed = false;
        auto before = value;
        for (int state = 0; state < 10000; ++state) {
            if (before[state] != 0 || state / 100 == 0 || state % 100 == 0) continue;
            int worst = 1;
            for (int move = 0; move < 4; ++move) {
                int next = after(state, move);
                if (next >= 0) worst = std::min(worst, before[next]);
            }
            if (worst == 0) continue;
            value[state] = -worst;
            plies[state] = depth;
            changed = true;
        }
    }
}

int safeMoves(int state) {
    int safe = 0;
    for (int move = 0; move < 4; ++move) {
        int next = after(state, move);
        if (next >= 0 && value[next] <= 0) ++safe;
    }
    return safe;
}

int choose(int state) {
    int best = -1;
    std::tuple<int, int> least;
    for (int move = 3; move >= 0; --move) {
        int next = after(state, move);
        if (next < 0) continue;
        int detail = value[next] < 0 ? plies[next] : value[next] > 0 ? -plies[next] : safeMoves(next);
        std::tuple<int, int> rank(value[next], detail);
        if (best < 0 || rank < least) {
            best = move;
            least = rank;
        }
    }
    return best;
}

}  // namespace

int main() {
    solve();
    std::string side;
    int a, b, c, d;
    std::cin >> side >> a >> b >> c >> d;
    bool mine = side == "first";
    int state = mine ? a * 1000 + b * 100 + c * 10 + d : c * 1000 + d * 100 + a * 10 + b;
    for (int ply = 0; ply < maxPlies && state % 100 != 0; ++ply) {
        int move = 0;
        if (mine) {
            move = choose(state);
            std::cout << names[move] << std::endl;
        } else {
            std::string name;
            std::cin >> name;
            while (move < 4 && names[move] != name) ++move;
            if (move == 4) return 0;
        }
        history.at(ply) = move;
        state = after(state, move);
        mine = !mine;
    }
    std::string result;
    std::cin >> result;
}
