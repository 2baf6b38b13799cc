// Runs one unit test of a teacher in Go, in the process of the solution.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"@MODULE@/graderunits/guard"
	tests "@MODULE@/graderunits/tests"
)

var all = map[string]func(*testing.T){
	@TESTS@
}

// What the package `testing` prints about its own work.
var noise = regexp.MustCompile(`^\s*(=== |--- )`)

func main() {
	test, found := all[guard.Test]
	if !found {
		guard.Report("fault", "there is no test "+guard.Test)
	}
	// `testing` prints here. The solution and the tests print to standard error.
	read, write, err := os.Pipe()
	if err != nil {
		guard.Report("fault", err.Error())
	}
	stdout := os.Stdout
	os.Stdout = write
	os.Args = []string{os.Args[0], "-test.v"}
	printed := make(chan []string)
	go func() {
		var lines []string
		for scanner := bufio.NewScanner(read); scanner.Scan(); {
			if line := strings.TrimSpace(scanner.Text()); line != "" && !noise.MatchString(line) && len(lines) < 20 {
				lines = append(lines, line)
			}
		}
		printed <- lines
	}()
	run := func(t *testing.T) {
		os.Stdout = stdout
		var own *testing.T
		// The group waits for tests that call Parallel.
		passed := t.Run("group", func(t *testing.T) {
			t.Run(guard.Test, func(t *testing.T) {
				own = t
				defer func() {
					if panicked := recover(); panicked != nil {
						guard.Say("raised", "panic: "+fmt.Sprint(panicked))
						panic(panicked)
					}
				}()
				test(t)
			})
		})
		write.Close()
		lines := <-printed
		switch {
		case !passed && len(lines) == 0:
			guard.Report("failed", "the test failed without a message")
		case !passed:
			guard.Report("failed", strings.Join(lines, "; "))
		case own.Skipped():
			guard.Report("fault", "the test was skipped: "+strings.Join(lines, "; "))
		}
		guard.Report("passed", "")
	}
	every := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(every, []testing.InternalTest{{Name: guard.Test, F: run}}, nil, nil)
}
