import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Main {
    static class Konto {
        private String inhaber;
        private int stand;
        private List<String> protokoll = new ArrayList<>();

        Konto(String inhaber, int stand) {
            this.inhaber = inhaber;
            this.stand = stand;
        }

        void einzahlen(int betrag) {
            if (betrag <= 0) {
                protokoll.add("bad deposit");
            } else {
                stand += betrag;
                protokoll.add("deposit " + betrag);
            }
        }

        boolean auszahlen(int betrag) {
            int gebuehr = betrag / 100;
            if (betrag + gebuehr > stand) {
                protokoll.add("refused " + betrag);
                return false;
            }
            stand -= betrag + gebuehr;
            protokoll.add("withdraw " + betrag);
            return true;
        }

        void ausgeben() {
            System.out.println(inhaber + ": " + stand);
            for (String zeile : protokoll) {
                System.out.println("  " + zeile);
            }
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Konto k = new Konto(in.next(), in.nextInt());
        int n = in.nextInt();
        int fehler = 0;
        for (int i = 0; i < n; i++) {
            String was = in.next();
            int betrag = in.nextInt();
            if (was.equals("in")) {
                k.einzahlen(betrag);
            } else if (!k.auszahlen(betrag)) {
                fehler++;
            }
        }
        k.ausgeben();
        System.out.println(fehler + " refused");
    }
}
