// Does not compile.
int main() { return picture(); }
