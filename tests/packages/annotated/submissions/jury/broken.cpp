// @EXPECTED_RESULTS@: COMPILER-ERROR
int main() { return }
