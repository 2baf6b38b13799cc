import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner s = new Scanner(System.in);
        String name = s.next();
        int money = s.nextInt();
        int count = s.nextInt();
        StringBuilder history = new StringBuilder();
        int refused = 0;
        while (count-- > 0) {
            String what = s.next();
            int sum = s.nextInt();
            switch (what) {
                case "in":
                    if (sum > 0) {
                        money += sum;
                        history.append("  deposit ").append(sum).append("\n");
                    } else {
                        history.append("  bad deposit\n");
                    }
                    break;
                default:
                    int cost = sum + sum / 100;
                    if (cost <= money) {
                        money -= cost;
                        history.append("  withdraw ").append(sum).append("\n");
                    } else {
                        refused++;
                        history.append("  refused ").append(sum).append("\n");
                    }
            }
        }
        System.out.println(name + ": " + money);
        System.out.print(history);
        System.out.println(refused + " refused");
    }
}
