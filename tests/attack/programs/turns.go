// turns.go - goroutines, a method that recurses, a panic that is recovered from: stacks that the runtime makes, moves and switches.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type node struct {
	left, right *node
	value       int
}

//go:noinline
func build(depth int) *node {
	if depth == 0 {
		return &node{value: 1}
	}
	return &node{build(depth - 1), build(depth - 1), depth}
}

//go:noinline
func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.value + n.left.sum() + n.right.sum()
}

//go:noinline
func spin(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i % 7
	}
	return sum
}

func main() {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(1)
	results := make(chan int)
	for k := 0; k < 4; k++ {
		go func(k int) { results <- build(6).sum() + spin(1000*k) }(k)
	}
	total := 0
	for k := 0; k < 4; k++ {
		total += <-results
	}
	defer func() { fmt.Println(total, recover()) }()
	panic("over")
}
