// No recursion: the games in progress stand on a stack, the one being played on top.
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Deck = std::vector<int>;

struct Game {
    int number;
    Deck decks[2];
    int round = 0;
    int drawn[2] = {0, 0};
    std::set<std::pair<Deck, Deck>> history;
};

std::ostringstream out;

void print_decks(const Deck* decks) {
    for (int player = 0; player < 2; ++player) {
        out << "Player " << player + 1 << "'s deck: ";
        for (std::size_t i = 0; i < decks[player].size(); ++i) {
            out << (i == 0 ? "" : ", ") << decks[player][i];
        }
        out << '\n';
    }
}

void end_round(Game& game, int winner) {
    out << "Player " << winner + 1 << " wins round " << game.round << " of game " << game.number << "!\n";
    game.decks[winner].push_back(game.drawn[winner]);
    game.decks[winner].push_back(game.drawn[1 - winner]);
}

int main() {
    std::vector<Game> stack(1);
    int games = 1;
    stack[0].number = games;
    std::string line;
    int player = -1;
    while (std::getline(std::cin, line)) {
        if (line.rfind("Player", 0) == 0) {
            ++player;
        } else if (!line.empty()) {
            stack[0].decks[player].push_back(std::stoi(line));
        }
    }
    out << "=== Game 1 ===\n";
    while (true) {
        Game& game = stack.back();
        auto& [one, two] = game.decks;
        const bool over = one.empty() || two.empty() || !game.history.emplace(one, two).second;
        if (over) {
            const int winner = one.empty() ? 1 : 0;
            out << "The winner of game " << game.number << " is player " << winner + 1 << "!\n";
            if (stack.size() == 1) {
                break;
            }
            stack.pop_back();
            out << "\n...anyway, back to game " << stack.back().number << ".\n";
            end_round(stack.back(), winner);
            continue;
        }
        out << "\n-- Round " << ++game.round << " (Game " << game.number << ") --\n";
        print_decks(game.decks);
        bool enough = true;
        for (int i = 0; i < 2; ++i) {
            game.drawn[i] = game.decks[i].front();
            game.decks[i].erase(game.decks[i].begin());
            out << "Player " << i + 1 << " plays: " << game.drawn[i] << '\n';
            enough = enough && game.decks[i].size() >= static_cast<std::size_t>(game.drawn[i]);
        }
        if (enough) {
            Game inner;
            inner.number = ++games;
            for (int i = 0; i < 2; ++i) {
                inner.decks[i].assign(game.decks[i].begin(), game.decks[i].begin() + game.drawn[i]);
            }
            out << "Playing a sub-game to determine the winner...\n\n=== Game " << games << " ===\n";
            stack.push_back(std::move(inner));
        } else {
            end_round(game, game.drawn[1] > game.drawn[0] ? 1 : 0);
        }
    }
    out << "\n\n== Post-game results ==\n";
    print_decks(stack[0].decks);
    std::cout << out.str();
}
