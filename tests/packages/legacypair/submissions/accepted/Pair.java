import java.util.Scanner;

public class Pair {
    public static void main(String[] arguments) {
        long n = new Scanner(System.in).nextLong();
        System.out.println((n - 1) + " " + 1);
    }
}
