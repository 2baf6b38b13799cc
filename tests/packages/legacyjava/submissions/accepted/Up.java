import java.util.Scanner;

class Up {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        for (int i = 1; i <= n; i++) System.out.println(i);
    }
}
