#include <cstdio>

bool isPrime(int x) {
    if (x < 2) return false;
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0) return false;
    return true;
}

int main() {
    int n, count = 0, twins = 0;
    long long sum = 0;
    scanf("%d", &n);
    for (int x = 2; x <= n; x++) {
        if (isPrime(x)) {
            count++;
            sum += x;
            if (isPrime(x - 2)) twins++;
        }
    }
    printf("%d primes\n%d twins\nsum %lld\n", count, twins, sum);
}
