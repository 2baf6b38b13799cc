int {function}(int n) {
    // Wrong: half a step is missing.
    return n * n / 2;
}
