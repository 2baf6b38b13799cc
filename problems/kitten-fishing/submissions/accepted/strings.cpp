// Hands and row are strings of digits; a set of the positions seen so far finds the draws.
#include <iostream>
#include <string>
#include <unordered_set>

namespace {

std::string readHand() {
    std::string hand;
    for (int i = 0; i < 6; ++i) {
        char card;
        std::cin >> card;
        hand += card;
    }
    return hand;
}

void print(const std::string& text, const std::string& cards) {
    std::cout << text;
    for (char card : cards) std::cout << ' ' << card;
    std::cout << '\n';
}

}  // namespace

int main() {
    const std::string names[2] = {"小哼", "小哈"};
    std::string hands[2];
    for (std::string& hand : hands) hand = readHand();
    std::string row;
    std::unordered_set<std::string> seen;
    for (int turn = 0;; turn = 1 - turn) {
        if (!seen.insert(std::to_string(turn) + hands[0] + '|' + hands[1] + '|' + row).second) {
            std::cout << "平局\n";
            return 0;
        }
        std::string& hand = hands[turn];
        char card = hand.front();
        hand.erase(0, 1);
        auto at = row.find(card);
        row += card;
        if (at != std::string::npos) {
            hand.append(row.rbegin(), row.rend() - at);
            row.erase(at);
        }
        if (hand.empty()) {
            const std::string& winner = names[1 - turn];
            std::cout << winner << "win\n";
            print(winner + "当前手中的牌是", hands[1 - turn]);
            print("桌上的牌是", row);
            return 0;
        }
    }
}
