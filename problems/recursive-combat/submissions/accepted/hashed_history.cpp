// Plays every game to its end by the letter of the rules; the history is a hash set of strings.
#include <algorithm>
#include <iostream>
#include <string>
#include <unordered_set>

using Deck = std::u16string;

int play(Deck& one, Deck& two) {
    std::unordered_set<Deck> history;
    while (!one.empty() && !two.empty()) {
        if (!history.insert(one + u'\0' + two).second) {
            return 1;
        }
        const auto first = one[0], second = two[0];
        one.erase(0, 1);
        two.erase(0, 1);
        int winner = first > second ? 1 : 2;
        if (one.size() >= first && two.size() >= second) {
            Deck one_copy = one.substr(0, first), two_copy = two.substr(0, second);
            winner = play(one_copy, two_copy);
        }
        Deck& deck = winner == 1 ? one : two;
        deck += winner == 1 ? first : second;
        deck += winner == 1 ? second : first;
    }
    return one.empty() ? 2 : 1;
}

int main() {
    Deck decks[2];
    std::string line;
    int player = -1;
    while (std::getline(std::cin, line)) {
        if (line.rfind("Player", 0) == 0) {
            ++player;
        } else if (!line.empty()) {
            decks[player] += static_cast<char16_t>(std::stoi(line));
        }
    }
    const Deck& deck = decks[play(decks[0], decks[1]) - 1];
    long score = 0;
    for (std::size_t i = 0; i < deck.size(); ++i) {
        score += static_cast<long>(deck[i]) * static_cast<long>(deck.size() - i);
    }
    std::cout << score << '\n';
}
