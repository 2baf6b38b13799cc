// Mistake: a player who cannot lay a card loses the game instead of passing.
#include <iostream>
#include <string>
#include <vector>

namespace {

const std::string kRanks = "6789TJQKA";
const std::string kSuits = "CDSH";

struct Game {
    int owner[4][9] = {};
    int low[4] = {4, 4, 4, 4};   // lowest rank laid in each suit; 4 with high 3 means none
    int high[4] = {3, 3, 3, 3};  // highest rank laid
    int left[2] = {18, 18};
    std::vector<signed char> memo = std::vector<signed char>(2 * 390625, -1);

    int key(int player) const {
        int index = 0;
        for (int suit = 0; suit < 4; ++suit) {
            const int state = high[suit] < 3 || low[suit] > 3 ? 0 : 1 + 6 * (3 - low[suit]) + high[suit] - 3;
            index = index * 25 + state;
        }
        return 2 * index + player;
    }

    bool lay(int player, int suit, int new_low, int new_high) {
        if (left[player] == 1) return true;
        const int old_low = low[suit];
        const int old_high = high[suit];
        low[suit] = new_low;
        high[suit] = new_high;
        --left[player];
        const bool good = !wins(1 - player);
        ++left[player];
        low[suit] = old_low;
        high[suit] = old_high;
        return good;
    }

    bool wins(int player) {
        const int index = key(player);
        if (memo[index] >= 0) return memo[index];
        bool good = false;
        for (int suit = 0; suit < 4 && !good; ++suit) {
            if (low[suit] > high[suit]) {
                if (owner[suit][3] == player) good = lay(player, suit, 3, 3);
                continue;
            }
            const int under = low[suit] - 1;
            const int over = high[suit] + 1;
            if (under >= 0 && owner[suit][under] == player) good = lay(player, suit, under, high[suit]);
            if (!good && over < 9 && owner[suit][over] == player) good = lay(player, suit, low[suit], over);
        }
        memo[index] = good;
        return good;
    }
};

}  // namespace

int main() {
    Game game;
    std::string card;
    for (int i = 0; i < 36 && std::cin >> card; ++i) {
        game.owner[kSuits.find(card[1])][kRanks.find(card[0])] = i / 18;
    }
    std::cout << (game.wins(0) ? "Alice" : "Bob") << '\n';
}
