/*
 * elf_check.h - is this something that Valgrind can run? Asked before the run, since Valgrind's own
 * answers are cryptic.
 */
#ifndef RUN_ELF_CHECK_H
#define RUN_ELF_CHECK_H

#include <stdbool.h>

/* Returns 0, or STATUS_ERROR after having said what is wrong with the file. */
int elf_check(const char *path);

/*--- AVX-512 ---*/

/* Programs that were built for processors with AVX-512, which Valgrind's does not have. */

/*
 * True where the program at `path`, just built by cargo from the current folder, probably meets
 * instructions of AVX-512: the flags that cargo gives rustc ask for a processor that has it (or for
 * this one, and it has), and the program's code has such instructions. A library that chooses its
 * functions at run time has them too, and runs: so both must hold.
 */
bool avx512_is_likely(const char *path);

/* The parts of it, for tests: whether rustc's flags ask for AVX-512, where "native" means a
 * processor that has it; whether code has it. */
bool avx512_in_flags(const char *flags, bool native);
bool avx512_in_code(const unsigned char *code, unsigned long size);

#endif
