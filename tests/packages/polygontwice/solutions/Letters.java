import java.util.Scanner;

public class Letters {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        if (in.next().equals("send")) {
            System.out.println(Integer.toBinaryString(in.nextInt()).replace('0', 'a').replace('1', 'b'));
        } else {
            System.out.println(Integer.parseInt(in.next().replace('a', '0').replace('b', '1'), 2));
        }
    }
}
