// Makes the compiler instantiate templates without end.
// compile: time=1 memory=512
// expect: CE
template <class A, class B> struct Pair {};
template <int N, class T> struct Bomb : Bomb<N - 1, Pair<T, int>>, Bomb<N - 1, Pair<int, T>> {};
template <class T> struct Bomb<0, T> {};
int main() { Bomb<40, int> bomb; }
