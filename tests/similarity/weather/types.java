import java.util.Scanner;

public class Main {
    private static float mean(float[] values) {
        float sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum / values.length;
    }

    public static long longestRise(float[] values) {
        long longest = 1;
        long length = 1;
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

    private static void sort(final float[] values) {
        for (int i = 0; i < values.length; i++) {
            int smallest = i;
            for (int j = i + 1; j < values.length; j++) {
                if (values[j] < values[smallest]) {
                    smallest = j;
                }
            }
            float swap = values[i];
            values[i] = values[smallest];
            values[smallest] = swap;
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = in.nextInt() / 10.0f;
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
