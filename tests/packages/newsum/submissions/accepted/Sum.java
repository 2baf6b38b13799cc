import java.util.Scanner;

public class Sum {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        long times = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1;
        System.out.println((in.nextLong() + in.nextLong()) * times);
    }
}
