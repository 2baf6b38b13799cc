public class Total {
    static int total(int a, int b) {
        return a + b;
    }
}
