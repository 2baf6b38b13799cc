#include <iostream>

int main() { std::cout << {{factor}} - 1 << "\n"; }
