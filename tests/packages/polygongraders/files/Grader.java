import java.util.Scanner;

public class Grader {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(Total.total(in.nextInt(), in.nextInt()));
    }
}
