#include <iostream>

int main() { std::cout << "ten\n"; }
