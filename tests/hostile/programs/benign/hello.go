// A run-time system of its own, with a heap that is reserved beforehand and threads as it likes.
// only: root user users weak none
// limits: memory=256 time=5
// compile: time=120
// within: 150
// expect: AC
package main

// Less to compile than `fmt`.
import "syscall"

func main() {
	sum := make(chan int)
	for i := 0; i < 100; i++ {
		go func(n int) { sum <- n }(i)
	}
	total := 0
	for i := 0; i < 100; i++ {
		total += <-sum
	}
	blocks := [][]byte{}
	for i := 0; i < 50; i++ {
		blocks = append(blocks, make([]byte, 1<<20))
	}
	if total == 4950 && len(blocks) == 50 {
		syscall.Write(1, []byte("ok\n"))
	}
}
