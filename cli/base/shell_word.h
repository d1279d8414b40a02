/*
 * shell_word.h - words of a command line as a shell reads them.
 */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

/* The word, in single quotes where a shell would take it for something else. The caller frees it.
 */
char *shell_word(const char *text);

#endif
