import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Main {
    static class Account {
        private String name;
        private int money;
        private List<String> history = new ArrayList<>();

        Account(String name, int money) {
            this.name = name;
            this.money = money;
        }

        boolean withdraw(int sum) {
            int fee = sum / 100;
            if (sum + fee > money) {
                history.add("refused " + sum);
                return false;
            }
            money = money - (fee + sum);
            history.add("withdraw " + sum);
            return true;
        }

        void deposit(int sum) {
            if (sum <= 0) {
                history.add("bad deposit");
            } else {
                money = money + sum;
                history.add("deposit " + sum);
            }
        }

        void print() {
            System.out.println(name + ": " + money);
            for (String line : history) {
                System.out.println("  " + line);
            }
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Account acc = new Account(in.next(), in.nextInt());
        int n = in.nextInt();
        int errors = 0;
        int i = 0;
        while (i < n) {
            i++;
            String command = in.next();
            int sum = in.nextInt();
            if (command.equals("in")) {
                acc.deposit(sum);
            } else if (!acc.withdraw(sum)) {
                errors += 1;
            }
        }
        acc.print();
        System.out.println(errors + " refused");
    }
}
