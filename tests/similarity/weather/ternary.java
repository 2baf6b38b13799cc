import java.util.Scanner;

public class Main {
    static double mean(double[] values) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum / values.length;
    }

    static int longestRise(double[] values) {
        int longest = 1;
        int length = 1;
        for (int i = 1; i < values.length; i++) {
            length = values[i] > values[i - 1] ? length + 1 : 1;
            longest = length > longest ? length : longest;
        }
        return longest;
    }

    static void sort(double[] values) {
        for (int i = 0; i < values.length; i++) {
            int smallest = i;
            for (int j = i + 1; j < values.length; j++) {
                if (values[j] < values[smallest]) {
                    smallest = j;
                }
            }
            double swap = values[i];
            values[i] = values[smallest];
            values[smallest] = swap;
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = in.nextInt() / 10.0;
        }
        System.out.println("mean " + Math.round(mean(values) * 10));
        System.out.println("rise " + longestRise(values));
        sort(values);
        System.out.println("coldest " + values[0]);
        System.out.println("warmest " + values[n - 1]);
        System.out.println("median " + (n % 2 == 0 ? (values[n / 2 - 1] + values[n / 2]) / 2 : values[n / 2]));
    }
}
