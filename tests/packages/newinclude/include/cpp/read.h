#include <fstream>

inline int read_square(int n) {
    std::ifstream table("squares.txt");
    int square = -1;
    for (int i = 0; i <= n; i++) table >> square;
    return square;
}
