import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner sc = new Scanner(System.in);
        int n = sc.nextInt();
        double[] temp = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            temp[i] = sc.nextInt() / 10.0;
            sum += temp[i];
        }
        double avg = sum / n;
        int max = 1;
        int count = 1;
        for (int i = 1; i < n; i++) {
            if (temp[i] > temp[i - 1]) {
                count++;
                if (count > max) {
                    max = count;
                }
            } else {
                count = 1;
            }
        }
        for (int i = 0; i < n - 1; i++) {
            for (int j = 0; j < n - 1 - i; j++) {
                if (temp[j] > temp[j + 1]) {
                    double t = temp[j];
                    temp[j] = temp[j + 1];
                    temp[j + 1] = t;
                }
            }
        }
        double median;
        if (n % 2 == 1) {
            median = temp[n / 2];
        } else {
            median = (temp[n / 2] + temp[n / 2 - 1]) / 2;
        }
        System.out.println("mean " + Math.round(avg * 10));
        System.out.println("rise " + max);
        System.out.println("coldest " + temp[0]);
        System.out.println("warmest " + temp[n - 1]);
        System.out.println("median " + median);
    }
}
