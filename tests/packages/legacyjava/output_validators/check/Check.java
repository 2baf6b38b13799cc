import java.io.File;
import java.util.Scanner;

public class Check {
    public static void main(String[] arguments) throws Exception {
        int n = new Scanner(new File(arguments[0])).nextInt();
        boolean strict = arguments.length > 3 && arguments[3].equals("strict");
        boolean[] seen = new boolean[n + 1];
        Scanner out = new Scanner(System.in);
        for (int i = 0; i < n; i++) {
            int x = out.hasNextInt() ? out.nextInt() : 0;
            if (x < 1 || x > n || seen[x]) System.exit(43);
            seen[x] = true;
        }
        System.exit(strict && out.hasNext() ? 43 : 42);
    }
}
