// An array deque for each hand, a list for the row, and a set of all positions seen.
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;

public class Main {
    private static final String[] NAMES = {"小哼", "小哈"};

    public static void main(String[] args) {
        List<ArrayDeque<Integer>> hands = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        Scanner scanner = new Scanner(System.in);
        for (ArrayDeque<Integer> hand : hands) {
            for (int i = 0; i < 6; i++) {
                hand.addLast(scanner.nextInt());
            }
        }
        // The default encoding may be anything; the output has to be UTF-8.
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        play(hands, out);
        out.flush();
    }

    private static void play(List<ArrayDeque<Integer>> hands, PrintStream out) {
        ArrayList<Integer> row = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int turn = 0; seen.add(turn + hands.toString() + row); turn = 1 - turn) {
            ArrayDeque<Integer> hand = hands.get(turn);
            Integer card = hand.removeFirst();
            int at = row.indexOf(card);
            row.add(card);
            if (at >= 0) {
                while (row.size() > at) {
                    hand.addLast(row.remove(row.size() - 1));
                }
            }
            if (hand.isEmpty()) {
                String winner = NAMES[1 - turn];
                out.print(winner + "win\n");
                print(winner + "当前手中的牌是", hands.get(1 - turn), out);
                print("桌上的牌是", row, out);
                return;
            }
        }
        out.print("平局\n");
    }

    private static void print(String text, Iterable<Integer> cards, PrintStream out) {
        StringBuilder line = new StringBuilder(text);
        for (int card : cards) {
            line.append(' ').append(card);
        }
        out.print(line.append('\n'));
    }
}
