import java.util.*;

public class Main {
    static final int PROZENT = 100;

    static class Konto {
        int stand;
        String inhaber;
        ArrayList<String> protokoll = new ArrayList<String>();

        void ausgeben() {
            System.out.printf("%s: %d%n", inhaber, stand);
            for (int i = 0; i < protokoll.size(); i++) {
                System.out.println("  " + protokoll.get(i));
            }
        }

        boolean abheben(int betrag) {
            int gesamt = betrag + betrag / PROZENT;
            if (stand >= gesamt) {
                stand = stand - gesamt;
                protokoll.add(String.format("withdraw %d", betrag));
                return true;
            } else {
                protokoll.add(String.format("refused %d", betrag));
                return false;
            }
        }

        void einzahlen(int betrag) {
            if (betrag > 0) {
                protokoll.add(String.format("deposit %d", betrag));
                stand = stand + betrag;
                return;
            }
            protokoll.add("bad deposit");
        }
    }

    public static void main(String[] args) {
        Scanner eingabe = new Scanner(System.in);
        Konto konto = new Konto();
        konto.inhaber = eingabe.next();
        konto.stand = eingabe.nextInt();
        int rest = eingabe.nextInt(), fehler = 0;
        while (rest > 0) {
            String was = eingabe.next();
            int betrag = eingabe.nextInt();
            if (!was.equals("in")) {
                fehler = konto.abheben(betrag) ? fehler : fehler + 1;
            } else {
                konto.einzahlen(betrag);
            }
            rest--;
        }
        konto.ausgeben();
        System.out.printf("%d refused%n", fehler);
    }
}
