import java.util.Arrays;
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        int count = scanner.nextInt();
        int[] tenths = new int[count];
        int total = 0, rise = 1, best = 1;
        for (int i = 0; i < count; i++) {
            tenths[i] = scanner.nextInt();
            total += tenths[i];
            rise = i > 0 && tenths[i] > tenths[i - 1] ? rise + 1 : 1;
            best = Math.max(best, rise);
        }
        Arrays.sort(tenths);
        System.out.println("mean " + Math.round((double) total / count));
        System.out.println("rise " + best);
        System.out.println("coldest " + tenths[0] / 10.0);
        System.out.println("warmest " + tenths[count - 1] / 10.0);
        double median = (tenths[(count - 1) / 2] + tenths[count / 2]) / 20.0;
        System.out.println("median " + median);
    }
}
