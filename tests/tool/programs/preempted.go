// preempted.go ROUNDS - a recursion without other calls: Go's runtime interrupts it by signals, and goes on in it later.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	left, right *node
	value       int
}

//go:noinline
func build(n int) *node {
	if n == 0 {
		return nil
	}
	return &node{build(n - 1), build(n - 1), n}
}

//go:noinline
func (n *node) sum() int {
	if n == nil {
		return 0
	}
	s := n.value
	for i := 0; i < 50; i++ {
		s ^= i * s
	}
	return s + n.left.sum() + n.right.sum()
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	t := build(9)
	s := 0
	for i := 0; i < rounds; i++ {
		s += t.sum()
	}
	fmt.Println(s)
}
