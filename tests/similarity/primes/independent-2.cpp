#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    unsigned n;
    std::cin >> n;
    std::vector<unsigned> smallest(n + 1), primes;
    for (unsigned i = 2; i <= n; ++i) {
        if (smallest[i] == 0) {
            smallest[i] = i;
            primes.push_back(i);
        }
        for (unsigned p : primes) {
            if (p > smallest[i] || 1ULL * p * i > n) break;
            smallest[p * i] = p;
        }
    }
    auto gap = [](unsigned a, unsigned b) { return b - a == 2; };
    std::size_t twins = 0;
    for (auto it = primes.begin(); (it = std::adjacent_find(it, primes.end(), gap)) != primes.end(); ++it) ++twins;
    std::cout << primes.size() << " primes\n" << twins << " twins\n";
    std::cout << "sum " << std::accumulate(primes.begin(), primes.end(), 0ULL) << '\n';
}
