/*
 * input.h - the program's standard input, which is ours: what it is, and where a program runs
 * several times, that each run reads the same.
 */
#ifndef RUN_INPUT_H
#define RUN_INPUT_H

#include <stdbool.h>
#include <sys/types.h>

struct input {
    bool is_file; /* it has a place that runs can begin at: it is no terminal and no pipe */
    off_t start;  /* that place: the file may have been read before */
};

/* Before several runs. A pipe is read to its end, and standard input is a file of what it had from
 * then on. Returns 0, or STATUS_ERROR having said why runs cannot read the same. */
int input_keep(struct input *input);
/* Before several runs of what hardly ever reads its input: a pipe, which the first run would have
 * for itself, is left alone, and standard input is empty from then on. A note says so where the
 * pipe has something. */
void input_keep_files(struct input *input);
/* Before several runs that nobody sits in front of: standard input is empty where it is the
 * terminal. */
void input_drop_terminal(void);

/* Before each run: has it begin where the first one did. */
void input_rewind(const struct input *input);
/* input_rewind() in a process of its own, beside others: it has a place in the file of its own from
 * then on. Returns 0, or STATUS_ERROR having said what is wrong. */
int input_rewind_apart(const struct input *input);

/* "6125 1a2b3c4d": how many bytes a run would read, and a digest of these, for the caller to free;
 * NULL: that is not known, since it is a pipe or a terminal. */
char *input_digest(void);

#endif
