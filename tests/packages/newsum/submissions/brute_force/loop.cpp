#include <cstdlib>

int main(int count, char**) {
    while (count > 1) {}
    std::abort();
}
