#include <iostream>

int main() { std::cout << "two three\n"; }
