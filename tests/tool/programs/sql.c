/*
 * sql.c - runs its arguments as SQL in SQLite's shared library and prints what comes. The program
 * sqlite3 does not do for that: in newer releases of Debian the library is part of it. Declarations
 * are made here, since the library is installed more often than its headers.
 */
#include <stdio.h>

int sqlite3_open(const char *path, void **database);
int sqlite3_close(void *database);
int sqlite3_exec(void *database, const char *sql, int (*row)(void *, int, char **, char **),
                 void *data, char **error);
void sqlite3_free(void *memory);

static int print_row(void *data, int n, char **values, char **names)
{
    (void)data;
    (void)names;
    for (int i = 0; i < n; i++)
        printf("%s%c", values[i] ? values[i] : "NULL", i + 1 < n ? '|' : '\n');
    return 0;
}

int main(int argc, char **argv)
{
    void *database;
    char *error = NULL;

    if (sqlite3_open(":memory:", &database))
        return 1;
    for (int i = 1; i < argc; i++)
        if (sqlite3_exec(database, argv[i], print_row, NULL, &error)) {
            fprintf(stderr, "%s\n", error);
            sqlite3_free(error);
            return 1;
        }
    return sqlite3_close(database) != 0;
}
