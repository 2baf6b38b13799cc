#include <iostream>

int main() { std::cout << {{factor}} << "\n"; }
