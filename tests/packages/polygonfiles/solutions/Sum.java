import java.io.File;
import java.io.PrintWriter;
import java.util.Scanner;

class Sum {
    public static void main(String[] arguments) throws Exception {
        Scanner scanner = new Scanner(new File("sum.in"));
        try (PrintWriter output = new PrintWriter("sum.out")) {
            output.println(scanner.nextInt() + scanner.nextInt());
        }
    }
}
