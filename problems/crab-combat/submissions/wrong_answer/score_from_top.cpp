// Mistake: the places of the score are counted from the top of the deck.
#include <deque>
#include <iostream>
#include <string>

int main() {
    std::deque<int> decks[2];
    std::string line;
    int player = -1;
    while (std::getline(std::cin, line)) {
        if (line.rfind("Player", 0) == 0) {
            ++player;
        } else if (!line.empty()) {
            decks[player].push_back(std::stoi(line));
        }
    }
    while (!decks[0].empty() && !decks[1].empty()) {
        const int one = decks[0].front(), two = decks[1].front();
        decks[0].pop_front();
        decks[1].pop_front();
        auto& winner = one > two ? decks[0] : decks[1];
        winner.push_back(std::max(one, two));
        winner.push_back(std::min(one, two));
    }
    const auto& deck = decks[0].empty() ? decks[1] : decks[0];
    int score = 0, place = 0;
    for (const int card : deck) {
        score += ++place * card;
    }
    std::cout << score << '\n';
}
