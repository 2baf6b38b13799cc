import java.util.Scanner;
import java.util.TreeMap;

public class Sort {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        TreeMap<Long, Integer> counts = new TreeMap<>();
        while (in.hasNextLong()) counts.merge(in.nextLong(), 1, Integer::sum);
        counts.forEach((x, count) -> System.out.print((x + " ").repeat(count)));
        System.out.println();
    }
}
