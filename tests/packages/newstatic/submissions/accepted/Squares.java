import java.util.Scanner;

class Squares {
    public static void main(String[] words) {
        long n = Math.abs(new Scanner(System.in).nextLong()), square = 0;
        for (long i = 0; i < n; i++) square += n;
        System.out.println(square);
    }
}
