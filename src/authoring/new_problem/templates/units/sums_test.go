package sums_test

import (
	"testing"

	"example.com/sums" // the student's package
)

func TestSeven(t *testing.T) {
	if got := sums.SumTo(7); got != 28 {
		t.Errorf("SumTo(7) = %d, want 28", got)
	}
}

// points: 2
func TestLargest(t *testing.T) {
	if got := sums.SumTo(1000); got != 500500 {
		t.Errorf("SumTo(1000) = %d, want 500500", got)
	}
}
