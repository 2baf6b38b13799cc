import java.util.Scanner;

public class Main {
    static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    static int longestRise(double[] values) {
        int longest = 1;
        int length = 1;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[i - 1]) {
                length++;
            } else {
                length = 1;
            }
            if (length > longest) {
                longest = length;
            }
        }
        return longest;
    }

    static void sort(double[] values) {
        for (int i = 0; i < values.length; i++) {
            int smallest = i;
            int j = i + 1;
            while (j < values.length) {
                if (values[j] < values[smallest]) {
                    smallest = j;
                }
                j = j + 1;
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
        int i = 0;
        while (i < n) {
            values[i] = in.nextInt() / 10.0;
            i++;
        }
        System.out.println("mean " + Math.round(mean(values) * 10));
        System.out.println("rise " + longestRise(values));
        sort(values);
        System.out.println("coldest " + values[0]);
        System.out.println("warmest " + values[n - 1]);
        if (n % 2 == 0) {
            System.out.println("median " + (values[n / 2 - 1] + values[n / 2]) / 2);
        } else {
            System.out.println("median " + values[n / 2]);
        }
    }
}
