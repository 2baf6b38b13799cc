import java.util.Scanner;

public class Main {
    static int longestRise(double[] t) {
        int length = 1, most = 1;
        for (int i = 1; i < t.length; i++) {
            if (t[i] <= t[i - 1]) {
                length = 1;
            } else {
                length += 1;
            }
            if (length > most) {
                most = length;
            }
        }
        return most;
    }

    static double mean(double[] t) {
        double all = 0;
        for (int i = 0; i < t.length; i++) {
            all = all + t[i];
        }
        return all / t.length;
    }

    static void sort(double[] t) {
        for (int i = 0; i < t.length; i++) {
            int least = i;
            for (int j = i + 1; j < t.length; j++) {
                if (t[j] < t[least]) {
                    least = j;
                }
            }
            double swap = t[i];
            t[i] = t[least];
            t[least] = swap;
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        double[] t = new double[n];
        for (int i = 0; i < n; i++) {
            t[i] = in.nextInt() / 10.0;
        }
        System.out.println("mean " + Math.round(mean(t) * 10));
        System.out.println("rise " + longestRise(t));
        sort(t);
        System.out.println("coldest " + t[0]);
        System.out.println("warmest " + t[n - 1]);
        if (n % 2 != 0) {
            System.out.println("median " + t[n / 2]);
        } else {
            System.out.println("median " + (t[n / 2] + t[n / 2 - 1]) / 2);
        }
    }
}
