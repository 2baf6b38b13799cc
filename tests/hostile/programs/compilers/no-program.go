// Is a package that is no program, which compiles all the same.
// compile: time=120
// within: 150
// expect: CE
// reason: created no program
package library

func Main() {}
