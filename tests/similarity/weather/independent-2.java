import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;

public class Main {
    private final List<Double> days = new ArrayList<>();

    private void read(Scanner scanner) {
        int n = scanner.nextInt();
        while (days.size() < n) {
            days.add(scanner.nextInt() / 10.0);
        }
    }

    private double average() {
        return days.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private int rise() {
        int best = 0;
        int start = 0;
        for (int end = 1; end <= days.size(); end++) {
            if (end == days.size() || days.get(end) <= days.get(end - 1)) {
                best = Math.max(best, end - start);
                start = end;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        Main main = new Main();
        main.read(new Scanner(System.in));
        System.out.println("mean " + Math.round(main.average() * 10));
        System.out.println("rise " + main.rise());
        Collections.sort(main.days);
        int size = main.days.size();
        System.out.println("coldest " + main.days.get(0));
        System.out.println("warmest " + main.days.get(size - 1));
        double low = main.days.get((size - 1) / 2);
        double high = main.days.get(size / 2);
        System.out.println("median " + (low + high) / 2);
    }
}
