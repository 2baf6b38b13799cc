import java.util.Scanner;

public class Halves {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int low = 1, high = 16;
        while (true) {
            int guess = (low + high) / 2;
            System.out.println(guess);
            String answer = in.next();
            if (answer.equals("right")) return;
            if (answer.equals("high")) high = guess - 1;
            else low = guess + 1;
        }
    }
}
