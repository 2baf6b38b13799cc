import java.util.Scanner;

public class Parity {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        in.next();
        System.out.println(in.nextInt() % 2);
    }
}
