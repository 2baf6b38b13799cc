#include <iostream>
#include <string>
#include <vector>

class Office {
public:
    explicit Office(int tickets) : tickets_(tickets), start_(tickets) {}

    void serve(const std::string& name, int amount, int arrival) {
        if (clock_ < arrival) clock_ = arrival;
        bool possible = amount <= tickets_;
        if (possible) {
            int wait = clock_ - arrival;
            if (wait > maxWait_) maxWait_ = wait;
            clock_ += amount * 2;
            tickets_ -= amount;
            std::cout << name << " served at " << clock_ << std::endl;
        } else {
            ++clock_;
            std::cout << name << " refused" << std::endl;
        }
    }

    void report() const {
        std::cout << "sold " << start_ - tickets_ << std::endl;
        std::cout << "longest wait " << maxWait_ << std::endl;
    }

private:
    int tickets_;
    int start_;
    int clock_ = 0;
    int maxWait_ = 0;
};

int main() {
    int customers, tickets;
    std::cin >> customers >> tickets;
    Office office(tickets);
    for (int i = 0; i < customers; ++i) {
        std::string name;
        int amount, arrival;
        std::cin >> name >> amount >> arrival;
        office.serve(name, amount, arrival);
    }
    office.report();
    return 0;
}
