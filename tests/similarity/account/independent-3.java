import java.util.*;

class BankAccount {
    String name;
    int saldo;
    ArrayList<String> actions;

    public BankAccount(String n, int start) {
        name = n;
        saldo = start;
        actions = new ArrayList<String>();
    }

    public void payIn(int x) {
        if (x > 0) {
            saldo = saldo + x;
            actions.add("deposit " + x);
        } else {
            actions.add("bad deposit");
        }
    }

    public boolean canPay(int x) {
        return saldo >= x + x / 100;
    }

    public void payOut(int x) {
        saldo = saldo - x - x / 100;
        actions.add("withdraw " + x);
    }
}

public class Main {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        String name = scanner.next();
        int start = scanner.nextInt();
        BankAccount b = new BankAccount(name, start);
        int n = scanner.nextInt();
        int refused = 0;
        for (int i = 1; i <= n; i++) {
            String s = scanner.next();
            int x = scanner.nextInt();
            if (s.equals("in")) {
                b.payIn(x);
            } else {
                if (b.canPay(x)) {
                    b.payOut(x);
                } else {
                    b.actions.add("refused " + x);
                    refused = refused + 1;
                }
            }
        }
        System.out.println(b.name + ": " + b.saldo);
        for (int i = 0; i < b.actions.size(); i++) {
            System.out.println("  " + b.actions.get(i));
        }
        System.out.println(refused + " refused");
    }
}
