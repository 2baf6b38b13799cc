function {function}(n) {
  return (n * (n + 1)) / 2;
}
