// Mistake: the tenth place is numbered 0, so landing there scores nothing.
#include <cstdio>

int main() {
    int place[2];
    int score[2] = {0, 0};
    for (int& start : place) {
        if (std::scanf("Player %*d starting position: %d ", &start) != 1) return 1;
    }
    int rolls = 0;
    int player = 1;
    do {
        player = 1 - player;
        for (int i = 0; i < 3; ++i) place[player] += rolls++ % 100 + 1;
        place[player] %= 10;
        score[player] += place[player];
    } while (score[player] < 1000);
    std::printf("%d\n", score[1 - player] * rolls);
}
