import java.io.*;
import java.util.*;

public class Main {
    enum Kind { DEPOSIT, BAD, WITHDRAW, REFUSED }

    record Entry(Kind kind, int amount) {
        @Override
        public String toString() {
            return switch (kind) {
                case DEPOSIT -> "deposit " + amount;
                case BAD -> "bad deposit";
                case WITHDRAW -> "withdraw " + amount;
                case REFUSED -> "refused " + amount;
            };
        }
    }

    private static Kind kindOf(boolean in, int amount, long balance) {
        if (in) {
            return amount > 0 ? Kind.DEPOSIT : Kind.BAD;
        }
        return amount + amount / 100 <= balance ? Kind.WITHDRAW : Kind.REFUSED;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer first = new StringTokenizer(reader.readLine());
        String owner = first.nextToken();
        long balance = Long.parseLong(first.nextToken());
        int lines = Integer.parseInt(reader.readLine().trim());
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            String[] parts = reader.readLine().split(" ");
            int amount = Integer.parseInt(parts[1]);
            Entry entry = new Entry(kindOf(parts[0].equals("in"), amount, balance), amount);
            entries.add(entry);
            if (entry.kind() == Kind.DEPOSIT) balance += amount;
            if (entry.kind() == Kind.WITHDRAW) balance -= amount + amount / 100;
        }
        System.out.println(owner + ": " + balance);
        entries.forEach(entry -> System.out.println("  " + entry));
        long refused = entries.stream().filter(entry -> entry.kind() == Kind.REFUSED).count();
        System.out.println(refused + " refused");
    }
}
