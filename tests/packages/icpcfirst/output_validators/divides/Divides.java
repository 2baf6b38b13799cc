import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;

class Divides {
    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(Files.readString(Path.of(args[0])).trim());
        Scanner out = new Scanner(System.in);
        int d = out.hasNextInt() ? out.nextInt() : 0;
        System.exit(d > 1 && d < n && n % d == 0 && !out.hasNext() ? 42 : 43);
    }
}
