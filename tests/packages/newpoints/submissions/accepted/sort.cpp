#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::vector<long long> all;
    for (long long x; std::cin >> x;) all.push_back(x);
    std::sort(all.begin(), all.end());
    for (long long x : all) std::cout << x << " ";
    std::cout << "\n";
}
