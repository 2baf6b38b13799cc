class Sums {
    static int sumTo(int n) {
        return n * (n + 1) / 2;
    }
}
