import java.util.Scanner;

class Divide {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println((double) in.nextInt() / in.nextInt());
    }
}
