import java.util.Scanner;

public class Search {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int low = 1, high = 100;
        while (low < high) {
            int middle = (low + high) / 2;
            System.out.println("? " + middle);
            System.out.flush();
            String said = in.next();
            if (said.equals("=")) {
                low = middle;
                high = middle;
            } else if (said.equals("<")) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        System.out.println("! " + low);
    }
}
