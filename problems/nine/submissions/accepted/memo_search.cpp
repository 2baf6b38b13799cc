// Depth-first search over the number of cards laid below and above each nine, with an array of results:
// stops at the first winning move.
#include <array>
#include <iostream>
#include <string>
#include <vector>

namespace {

const std::string kRanks = "6789TJQKA";
const std::string kSuits = "CDSH";
const int kWeight[4] = {1, 25, 625, 15625};

int owner[4][9];
std::array<int, 4> table_state{};  // 0: nothing, else 1 + 6 * below + above
int index_of_table = 0;
int cards_left[2] = {18, 18};
std::vector<signed char> memo(2 * 390625, -1);

bool wins(int player);

// Lays the card of this rank if the player owns it and reports whether that wins; sets `moved` if it was laid.
bool try_card(int player, int suit, int rank, int step, bool& moved) {
    if (owner[suit][rank] != player) return false;
    moved = true;
    if (cards_left[player] == 1) return true;
    --cards_left[player];
    table_state[suit] += step;
    index_of_table += step * kWeight[suit];
    const bool good = !wins(1 - player);
    index_of_table -= step * kWeight[suit];
    table_state[suit] -= step;
    ++cards_left[player];
    return good;
}

bool wins(int player) {
    const int key = 2 * index_of_table + player;
    if (memo[key] >= 0) return memo[key];
    bool moved = false;
    bool good = false;
    for (int suit = 0; suit < 4 && !good; ++suit) {
        if (table_state[suit] == 0) {
            good = try_card(player, suit, 3, 1, moved);
            continue;
        }
        const int below = (table_state[suit] - 1) / 6;
        const int above = (table_state[suit] - 1) % 6;
        if (above < 5) good = try_card(player, suit, 4 + above, 1, moved);
        if (!good && below < 3) good = try_card(player, suit, 2 - below, 6, moved);
    }
    if (!moved) good = !wins(1 - player);
    memo[key] = good;
    return good;
}

}  // namespace

int main() {
    std::string card;
    for (int i = 0; i < 36 && std::cin >> card; ++i) {
        owner[kSuits.find(card[1])][kRanks.find(card[0])] = i / 18;
    }
    std::cout << (wins(0) ? "Alice" : "Bob") << '\n';
}
