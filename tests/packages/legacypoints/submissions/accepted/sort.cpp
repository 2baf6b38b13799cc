#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> all;
    for (int x; std::cin >> x;) all.push_back(x);
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); i++) std::cout << (i ? " " : "") << all[i];
    std::cout << "\n";
}
