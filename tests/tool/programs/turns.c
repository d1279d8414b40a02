/* turns.c LIBRARY LIBRARY: loads, calls and unloads the two in turn. The second takes the address
 * that the first has left. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *places[2] = {NULL, NULL};
    for (int round = 0; round < 6 && argc == 3; round++) {
        void *library = dlopen(argv[1 + round % 2], RTLD_NOW);
        void (*work)(long) = library ? (void (*)(long))dlsym(library, "work") : NULL;
        if (!work) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        places[round % 2] = (void *)work;
        work(round + 1);
        dlclose(library);
    }
    puts(places[0] == places[1] ? "one address" : "two addresses");
    return places[0] ? 0 : 1;
}
