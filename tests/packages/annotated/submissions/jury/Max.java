// @EXPECTED_RESULTS@: ACCEPTED
import java.util.Scanner;

public class Max {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println(Math.max(in.nextInt(), in.nextInt()));
    }
}
