// Makes the compiler say far more than anybody wants to read.
// compile: time=20
// expect: CE
// reason: error
#define A(x) x x x x x x x x x x
#define B(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x)
int main(void) {
    B(B(undeclared_name_number_one + another_name_that_nobody_declared;))
}
