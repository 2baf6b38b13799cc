function sumTo(n) {
  // Wrong: half a step is missing.
  return Math.floor((n * n) / 2);
}

module.exports = { sumTo };
