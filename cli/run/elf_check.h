/*
 * elf_check.h - is this something that Valgrind can run? Asked before the run, since Valgrind's own
 * answers are cryptic.
 */
#ifndef RUN_ELF_CHECK_H
#define RUN_ELF_CHECK_H

/* Returns 0, or STATUS_ERROR after having said what is wrong with the file. */
int elf_check(const char *path);

#endif
