class Solution {
    int {function}(int n) {
        return n * (n + 1) / 2;
    }
}
