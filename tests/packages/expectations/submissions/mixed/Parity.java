import java.util.Scanner;

public class Parity {
    public static void main(String[] arguments) {
        long n = new Scanner(System.in).nextLong();
        System.out.println(n % 2 == 0 ? "even" : "odd");
    }
}
