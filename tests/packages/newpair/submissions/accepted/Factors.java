import java.util.Scanner;

public class Factors {
    public static void main(String[] arguments) {
        int n = new Scanner(System.in).nextInt();
        int d = (int) Math.sqrt(n);
        while (n % d != 0) d--;
        System.out.println(d + " " + n / d);
    }
}
