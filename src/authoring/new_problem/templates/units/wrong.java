class Sums {
    static int sumTo(int n) {
        // Wrong: half a step is missing.
        return n * n / 2;
    }
}
