import java.util.Scanner;
import java.util.TreeMap;

public class Sort {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        while (in.hasNextInt()) counts.merge(in.nextInt(), 1, Integer::sum);
        counts.forEach((number, count) -> System.out.print((number + " ").repeat(count)));
    }
}
