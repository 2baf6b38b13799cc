import java.util.Scanner;

public class Main {
    private static void ordne(float[] werte) {
        int i = 0;
        while (i < werte.length) {
            int klein = i;
            int j = i;
            while (++j < werte.length) {
                klein = werte[klein] > werte[j] ? j : klein;
            }
            float alt = werte[klein];
            werte[klein] = werte[i];
            werte[i] = alt;
            i++;
        }
    }

    private static int anstieg(final float[] werte) {
        int lang = 1, rekord = 1;
        int i = 1;
        while (i < werte.length) {
            if (werte[i] <= werte[i - 1]) {
                lang = 1;
            } else {
                lang = lang + 1;
            }
            rekord = Math.max(lang, rekord);
            i = i + 1;
        }
        return rekord;
    }

    public static void main(String[] args) {
        Scanner eingabe = new Scanner(System.in);
        float[] werte = new float[eingabe.nextInt()];
        float summe = 0;
        for (int i = 0; i < werte.length; ++i) {
            werte[i] = eingabe.nextInt() / 10.0f;
            summe = summe + werte[i];
        }
        int n = werte.length;
        System.out.printf("mean %d%n", Math.round(summe / n * 10));
        System.out.printf("rise %d%n", anstieg(werte));
        ordne(werte);
        System.out.println("coldest " + werte[0]);
        System.out.println("warmest " + werte[n - 1]);
        System.out.println("median " + (n % 2 != 0 ? werte[n / 2] : (werte[n / 2] + werte[n / 2 - 1]) / 2));
    }
}
