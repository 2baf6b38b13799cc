// @EXPECTED_RESULTS@: RUN-ERROR, TIMELIMIT
#include <cstdlib>

int main() { std::abort(); }
