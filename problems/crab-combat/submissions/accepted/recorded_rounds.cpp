// Never moves a card: each player's deck is a record of everything ever put down, and a position in it.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<long> record[2];
    std::string line;
    int player = -1;
    while (std::getline(std::cin, line)) {
        if (line.rfind("Player", 0) == 0) {
            ++player;
        } else if (!line.empty()) {
            record[player].push_back(std::stol(line));
        }
    }
    std::size_t round = 0;
    while (round < record[0].size() && round < record[1].size()) {
        const long one = record[0][round], two = record[1][round];
        ++round;
        auto& winner = one > two ? record[0] : record[1];
        winner.push_back(std::max(one, two));
        winner.push_back(std::min(one, two));
    }
    const auto& deck = round < record[0].size() ? record[0] : record[1];
    long score = 0;
    for (std::size_t i = round; i < deck.size(); ++i) {
        score += deck[i] * static_cast<long>(deck.size() - i);
    }
    std::cout << score << '\n';
}
