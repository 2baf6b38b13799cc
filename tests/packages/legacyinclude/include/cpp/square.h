long long square(long long n);
