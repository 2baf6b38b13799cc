// Plays the game with a die that is an object of its own and places counted from 0.
#include <array>
#include <cstdio>

namespace {

class Die {
public:
    int roll() {
        ++rolls_;
        face_ = face_ == 100 ? 1 : face_ + 1;
        return face_;
    }
    int rolls() const { return rolls_; }

private:
    int face_ = 100;
    int rolls_ = 0;
};

}  // namespace

int main() {
    std::array<int, 2> place{};
    std::array<int, 2> score{};
    for (int& start : place) {
        if (std::scanf("Player %*d starting position: %d ", &start) != 1) return 1;
        --start;
    }
    Die die;
    int player = 1;
    do {
        player = 1 - player;
        for (int i = 0; i < 3; ++i) place[player] += die.roll();
        place[player] %= 10;
        score[player] += place[player] + 1;
    } while (score[player] < 1000);
    std::printf("%d\n", score[1 - player] * die.rolls());
}
