/* shifted.c - code made at run time that is written over by other code: its second part is the
 * same, two bytes further on. An atomic instruction ends the first. */
#include <string.h>
#include <sys/mman.h>

/* nop; lock incl (%rdi); mov %ecx, %eax; ret */
static const unsigned char near[] = {0x90, 0xf0, 0xff, 0x07, 0x89, 0xc8, 0xc3};
/* nopl (%rax); the same */
static const unsigned char far[] = {0x0f, 0x1f, 0x00, 0xf0, 0xff, 0x07, 0x89, 0xc8, 0xc3};

int main(void)
{
    unsigned char *code = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    int (*function)(int *) = (int (*)(int *))(void *)code, n = 0;

    if (code == MAP_FAILED)
        return 1;
    memcpy(code, near, sizeof near);
    for (int i = 0; i < 3; i++)
        function(&n);
    memcpy(code, far, sizeof far);
    for (int i = 0; i < 5; i++)
        function(&n);
    return n != 8;
}
