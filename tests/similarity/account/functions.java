import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Main {
    static class Account {
        private String owner;
        private int balance;
        private List<String> log = new ArrayList<>();

        Account(String owner, int balance) {
            this.owner = owner;
            this.balance = balance;
        }

        void print() {
            System.out.println(owner + ": " + balance);
            for (String line : log) {
                System.out.println("  " + line);
            }
        }

        boolean withdraw(int amount) {
            int fee = amount / 100;
            if (amount + fee > balance) {
                log.add("refused " + amount);
                return false;
            }
            balance -= amount + fee;
            log.add("withdraw " + amount);
            return true;
        }

        void deposit(int amount) {
            if (amount <= 0) {
                log.add("bad deposit");
            } else {
                balance += amount;
                log.add("deposit " + amount);
            }
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Account account = new Account(in.next(), in.nextInt());
        int n = in.nextInt();
        int failed = 0;
        for (int i = 0; i < n; i++) {
            String command = in.next();
            int amount = in.nextInt();
            if (command.equals("in")) {
                account.deposit(amount);
            } else if (!account.withdraw(amount)) {
                failed++;
            }
        }
        account.print();
        System.out.println(failed + " refused");
    }
}
