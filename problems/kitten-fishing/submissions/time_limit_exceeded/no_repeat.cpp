// Slow: plays on for ever when the game repeats itself.
#include <cstdio>
#include <deque>
#include <vector>

int main() {
    const char* const names[2] = {"小哼", "小哈"};
    std::deque<int> hands[2];
    for (auto& hand : hands) {
        for (int i = 0; i < 6; ++i) {
            int card;
            if (std::scanf("%d", &card) == 1) hand.push_back(card);
        }
    }
    std::vector<int> row;
    std::vector<bool> inRow(10);
    int turn = 1;
    do {
        turn = 1 - turn;
        auto& hand = hands[turn];
        int card = hand.front();
        hand.pop_front();
        if (!inRow[card]) {
            inRow[card] = true;
            row.push_back(card);
            continue;
        }
        hand.push_back(card);
        while (inRow[card]) {
            inRow[row.back()] = false;
            hand.push_back(row.back());
            row.pop_back();
        }
    } while (!hands[turn].empty());
    const int winner = 1 - turn;
    std::printf("%swin\n%s当前手中的牌是", names[winner], names[winner]);
    for (int card : hands[winner]) std::printf(" %d", card);
    std::printf("\n桌上的牌是");
    for (int card : row) std::printf(" %d", card);
    std::printf("\n");
}
