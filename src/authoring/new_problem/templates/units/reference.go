package sums

func SumTo(n int) int {
	return n * (n + 1) / 2
}
