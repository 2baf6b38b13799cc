#include <cmath>
#include <cstdio>

int main() {
    double x;
    if (std::scanf("%lf", &x) != 1) return 1;
    std::printf("%.7e\n", std::sqrt(x));
}
