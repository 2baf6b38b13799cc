import java.util.Scanner;

public class Main {
    static double schnitt(double[] werte) {
        double s = 0;
        for (int i = 0; i < werte.length; i++) {
            s += werte[i];
        }
        return s / werte.length;
    }

    static int anstieg(double[] werte) {
        int bisher = 1;
        int length = 1;
        for (int i = 1; i < werte.length; i++) {
            if (werte[i] > werte[i - 1]) {
                length++;
            } else {
                length = 1;
            }
            if (length > bisher) {
                bisher = length;
            }
        }
        return bisher;
    }

    static void ordne(double[] werte) {
        for (int i = 0; i < werte.length; i++) {
            int klein = i;
            for (int q = i + 1; q < werte.length; q++) {
                if (werte[q] < werte[klein]) {
                    klein = q;
                }
            }
            double tausch = werte[i];
            werte[i] = werte[klein];
            werte[klein] = tausch;
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int anzahl = in.nextInt();
        double[] werte = new double[anzahl];
        for (int i = 0; i < anzahl; i++) {
            werte[i] = in.nextInt() / 10.0;
        }
        System.out.println("mean " + Math.round(schnitt(werte) * 10));
        System.out.println("rise " + anstieg(werte));
        ordne(werte);
        System.out.println("coldest " + werte[0]);
        System.out.println("warmest " + werte[anzahl - 1]);
        if (anzahl % 2 == 0) {
            System.out.println("median " + (werte[anzahl / 2 - 1] + werte[anzahl / 2]) / 2);
        } else {
            System.out.println("median " + werte[anzahl / 2]);
        }
    }
}
