// Slow: a right search of the game tree that forgets every table it has solved.
#include <iostream>
#include <string>

namespace {

const std::string kRanks = "6789TJQKA";
const std::string kSuits = "CDSH";

int owner[4][9];
int low[4] = {3, 3, 3, 3};  // ranks low..high-1 are on the table
int high[4] = {3, 3, 3, 3};
int left_in_hand[2] = {18, 18};

bool wins(int player);

bool wins_after_laying(int player) {
    --left_in_hand[player];
    const bool good = left_in_hand[player] == 0 || !wins(1 - player);
    ++left_in_hand[player];
    return good;
}

bool wins(int player) {
    bool moved = false;
    for (int suit = 0; suit < 4; ++suit) {
        if (high[suit] < 9 && owner[suit][high[suit]] == player) {
            moved = true;
            ++high[suit];
            const bool good = wins_after_laying(player);
            --high[suit];
            if (good) return true;
        }
        if (low[suit] < high[suit] && low[suit] > 0 && owner[suit][low[suit] - 1] == player) {
            moved = true;
            --low[suit];
            const bool good = wins_after_laying(player);
            ++low[suit];
            if (good) return true;
        }
    }
    return !moved && !wins(1 - player);
}

}  // namespace

int main() {
    std::string card;
    for (int i = 0; i < 36 && std::cin >> card; ++i) {
        owner[kSuits.find(card[1])][kRanks.find(card[0])] = i / 18;
    }
    std::cout << (wins(0) ? "Alice" : "Bob") << '\n';
}
