int total(int a, int b);
