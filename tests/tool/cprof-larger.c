/*
 * cprof-larger.c - linked into a second build of the tool, which so has more memory of its own, of
 * each kind: what the program reads of its memory must not tell the two apart.
 */
extern char cp_larger_zeros[48 << 20], cp_larger_data[5 << 20];
extern const char cp_larger_text[3 << 20];

char cp_larger_zeros[48 << 20];
char cp_larger_data[5 << 20] = {1};
const char cp_larger_text[3 << 20] = {1};
