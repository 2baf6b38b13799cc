// Mistake: the matched card stays on the table, and the end of the game is looked for only after both have played.
#include <stdbool.h>
#include <stdio.h>

// There are never more than twelve cards, so a ring of sixteen always has room.
enum { ROOM = 16, MAX_ROUNDS = 1000000 };

struct hand {
    int cards[ROOM];
    unsigned first, count;
};

struct table {
    int cards[9];
    int count;
    bool holds[10];
};

static void put(struct hand *hand, int card) {
    hand->cards[(hand->first + hand->count) % ROOM] = card;
    hand->count++;
}

static int draw(struct hand *hand) {
    int card = hand->cards[hand->first];
    hand->first = (hand->first + 1) % ROOM;
    hand->count--;
    return card;
}

static void turn(struct hand *hand, struct table *table) {
    int card = draw(hand);
    if (!table->holds[card]) {
        table->holds[card] = true;
        table->cards[table->count++] = card;
        return;
    }
    put(hand, card);
    while (table->cards[table->count - 1] != card) {
        int caught = table->cards[--table->count];
        table->holds[caught] = false;
        put(hand, caught);
    }
}

int main(void) {
    const char *names[2] = {"小哼", "小哈"};
    struct hand hands[2] = {0};
    struct table table = {0};
    for (int i = 0; i < 12; i++) {
        int card;
        if (scanf("%d", &card) != 1) return 0;
        put(&hands[i / 6], card);
    }
    int rounds = 0;
    while (hands[0].count > 0 && hands[1].count > 0) {
        if (++rounds > MAX_ROUNDS) {
            puts("平局");
            return 0;
        }
        turn(&hands[0], &table);
        turn(&hands[1], &table);
    }
    int winner = hands[1].count == 0 ? 0 : 1;
    printf("%swin\n%s当前手中的牌是", names[winner], names[winner]);
    for (unsigned i = 0; i < hands[winner].count; i++) {
        printf(" %d", hands[winner].cards[(hands[winner].first + i) % ROOM]);
    }
    printf("\n桌上的牌是");
    for (int i = 0; i < table.count; i++) printf(" %d", table.cards[i]);
    printf("\n");
    return 0;
}
