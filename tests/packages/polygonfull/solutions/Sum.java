import java.util.Scanner;

class Sum {
    public static void main(String[] arguments) {
        Scanner scanner = new Scanner(System.in);
        System.out.println(scanner.nextInt() + scanner.nextInt());
    }
}
