// Many threads with stacks of the default size.
// only: root user users weak none
// limits: memory=256 processes=128 time=5
// expect: AC
#include <atomic>
#include <future>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

int main() {
    std::string word;
    std::cin >> word;
    if (word == "next") return !(std::cout << "ok\n");
    std::atomic<int> sum = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 100; i++) threads.emplace_back([&] { sum++; });
    for (auto &thread : threads) thread.join();
    auto later = std::async(std::launch::async, [] { return 1; });
    std::cout << (sum + later.get() == 101 ? "ok" : "wrong") << std::endl;
}
