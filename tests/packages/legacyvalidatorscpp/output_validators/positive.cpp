#include <iostream>

int main() { return std::cin.peek() == '-' ? 43 : 42; }
