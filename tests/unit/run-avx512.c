/* The request for AVX-512, and its presence. */
#include <config.h>

#include "../tap.h"
#include "run/elf_check.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Code that this program has and does not run: vmovups zmm0,[rax], 40 times. */
__asm__(".pushsection .text\n.rept 40\n.byte 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x00\n.endr\n"
        ".popsection\n");

#define ASKS      "-Ctarget-cpu=x86-64-v4"
#define ASKS_NOT  "-Ctarget-cpu=x86-64-v3"
#define PROGRAM   "/proc/self/exe"
#define IN_CONFIG "[build]\nrustflags = [\"" ASKS "\"]\n"

/*--- Where flags come from ---*/

/* In the order in which cargo takes them. */
static const char *const variables[] = {"CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS",
                                        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
                                        "CARGO_BUILD_RUSTFLAGS"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static void forget_variables(void)
{
    for (int i = 0; i < VARIABLES; i++)
        unsetenv(variables[i]);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    if (!out || fputs(text, out) < 0 || fclose(out) != 0)
        ok(0, "%s is written", path);
}

static void check_variables(void)
{
    for (int i = 0; i < VARIABLES; i++) {
        forget_variables();
        setenv(variables[i], ASKS, 1);
        ok(avx512_is_likely(PROGRAM), "%s asks", variables[i]);
        setenv(variables[i], ASKS_NOT, 1);
        ok(!avx512_is_likely(PROGRAM), "%s asks for less", variables[i]);
        for (int k = i + 1; k < VARIABLES; k++)
            setenv(variables[k], ASKS, 1);
        ok(!avx512_is_likely(PROGRAM), "%s comes before the rest", variables[i]);
        setenv(variables[i], "", 1);
        ok(avx512_is_likely(PROGRAM) == (i + 1 < VARIABLES), "%s is empty", variables[i]);
    }
    forget_variables();
}

/* A configuration file asks, at that place below the scratch folder, and not without it. */
static void check_file(const char *path, const char *what)
{
    ok(!avx512_is_likely(PROGRAM), "%s: not yet", what);
    write_file(path, IN_CONFIG);
    ok(avx512_is_likely(PROGRAM), "%s", what);
    setenv("CARGO_BUILD_RUSTFLAGS", ASKS_NOT, 1);
    ok(!avx512_is_likely(PROGRAM), "%s: a variable comes before it", what);
    forget_variables();
    unlink(path);
}

static void check_text(const char *text, bool asks, const char *what)
{
    write_file(".cargo/config.toml", text);
    ok(avx512_is_likely(PROGRAM) == asks, "a file with %s", what);
    unlink(".cargo/config.toml");
}

static void check_texts(void)
{
    enum { LINE = 64, LINES = (1 << 20) / LINE };
    char *large = malloc((size_t)LINE * LINES + sizeof IN_CONFIG);
    char *end = large;

    check_text("# " ASKS "\n", false, "a comment only");
    check_text("rustflags = []  # " ASKS "\n", false, "a comment behind something");
    check_text("# " ASKS_NOT "\n" IN_CONFIG, true, "a line after a comment");
    check_text("[target.x86_64-unknown-linux-gnu]\nrustflags = \"-C target-feature=+avx512f\"",
               true, "a feature, and no end of line");
    check_text("", false, "nothing");
    for (int i = 0; i < LINES; i++)
        end += sprintf(end, "%-*s\n", LINE - 1, "#");
    memcpy(end, IN_CONFIG, sizeof IN_CONFIG);
    check_text(large, false, "a megabyte before the flags");
    check_text(large + LINE, true, "a line less");
    free(large);
}

/* The project is outer/inner; HOME and CARGO_HOME are folders beside it. */
static void check_files(const char *scratch)
{
    static const char *const folders[] = {"outer",        "outer/inner",        "home",
                                          "outer/.cargo", "outer/inner/.cargo", "home/.cargo",
                                          "cargo"};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    char home[256], cargo[256];

    snprintf(home, sizeof home, "%s/home", scratch);
    snprintf(cargo, sizeof cargo, "%s/cargo", scratch);
    for (int i = 0; i < FOLDERS; i++)
        mkdir(folders[i], 0700);
    setenv("HOME", home, 1);
    unsetenv("CARGO_HOME");
    if (chdir("outer/inner") != 0)
        return;
    check_file(".cargo/config.toml", "the project's file");
    check_file(".cargo/config", "the project's file by its old name");
    check_file("../.cargo/config.toml", "the file of a folder above");
    check_file("../../home/.cargo/config.toml", "the user's file");
    setenv("CARGO_HOME", "", 1);
    check_file("../../home/.cargo/config.toml", "the user's file, CARGO_HOME being empty");
    setenv("CARGO_HOME", cargo, 1);
    check_file("../../cargo/config.toml", "the file in CARGO_HOME");
    write_file("../../home/.cargo/config.toml", IN_CONFIG);
    ok(!avx512_is_likely(PROGRAM), "CARGO_HOME instead of the user's folder");
    unlink("../../home/.cargo/config.toml");
    unsetenv("CARGO_HOME");
    unsetenv("HOME");
    check_file(".cargo/config.toml", "the project's file, without HOME");
    check_texts();
    if (chdir("../..") != 0)
        return;
    for (int i = FOLDERS; i-- > 0;)
        rmdir(folders[i]);
}

/* An ELF file with one section, code that asks for it, which its header puts `moved` bytes behind
 * where it is. */
static void write_program(const char *path, unsigned long moved)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Shdr sections[2];
        unsigned char code[20][6];
    } file = {.header = {.e_ident = ELFMAG "\2\1\1",
                         .e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof(Elf64_Ehdr),
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 2}};
    FILE *out = fopen(path, "w");

    file.sections[1] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                                    .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                    .sh_offset = sizeof file.header + sizeof file.sections + moved,
                                    .sh_size = sizeof file.code};
    for (int i = 0; i < 20; i++)
        memcpy(file.code[i], "\x62\xf1\x7c\x48\x10", 6);
    if (!out || fwrite(&file, sizeof file, 1, out) != 1 || fclose(out) != 0)
        ok(0, "%s is written", path);
}

/* Both must hold: the flags ask, and the code has it. */
static void check_programs(void)
{
    setenv("RUSTFLAGS", ASKS, 1);
    write_file("text", IN_CONFIG);
    ok(!avx512_is_likely("text"), "a file that is no program");
    ok(!avx512_is_likely("none"), "no file");
    ok(!avx512_is_likely("."), "a folder");
    unlink("text");
    write_program("program", 0);
    ok(avx512_is_likely("program"), "a program with nothing else");
    write_program("program", 1000);
    ok(!avx512_is_likely("program"), "one whose code lies beyond its end");
    unlink("program");
    forget_variables();
}

static void check_places(void)
{
    char scratch[] = "/tmp/cprof-avx512.XXXXXX";

    if (!ok(mkdtemp(scratch) && chdir(scratch) == 0, "a folder to try in"))
        return;
    forget_variables();
    setenv("HOME", scratch, 1);
    unsetenv("CARGO_HOME");
    check_variables();
    check_files(scratch);
    check_programs();
    if (chdir("/") == 0)
        ok(rmdir(scratch) == 0, "nothing is left there");
}

/*--- Processors ---*/

static void check_processors(void)
{
    static const char *const has[] = {"x86-64-v4",
                                      "skylake-avx512",
                                      "cascadelake",
                                      "cooperlake",
                                      "cannonlake",
                                      "icelake-client",
                                      "icelake-server",
                                      "tigerlake",
                                      "rocketlake",
                                      "sapphirerapids",
                                      "emeraldrapids",
                                      "graniterapids-d",
                                      "diamondrapids",
                                      "znver4",
                                      "znver5",
                                      "knl",
                                      "knm"};
    static const char *const has_not[] = {"x86-64", "skylake", "alderlake",
                                          "znver3", "haswell", "generic"};
    char flags[64];

    for (size_t i = 0; i < sizeof has / sizeof *has; i++) {
        snprintf(flags, sizeof flags, "-Ctarget-cpu=%s -Copt-level=3", has[i]);
        ok(avx512_in_flags(flags, false), "%s has it", has[i]);
    }
    for (size_t i = 0; i < sizeof has_not / sizeof *has_not; i++) {
        snprintf(flags, sizeof flags, "-Ctarget-cpu=%s -Copt-level=3", has_not[i]);
        ok(!avx512_in_flags(flags, true), "%s has not", has_not[i]);
    }
    ok(avx512_in_flags("-Copt-level=3\037-Ctarget-cpu=znver5\037-g", false), "encoded flags");
}

int main(void)
{
    /* vmovups zmm0,[rax]; vaddps zmm0,zmm0,zmm1; vmovdqu32 ymm16,[rdi]; vmovups ymm0,[rax] (AVX) */
    static const unsigned char code[] = {0x62, 0xf1, 0x7c, 0x48, 0x10, 0x00, 0x62, 0xf1,
                                         0x7c, 0x48, 0x58, 0xc1, 0x62, 0xe1, 0x7e, 0x28,
                                         0x6f, 0x07, 0xc5, 0xfc, 0x10, 0x00};
    unsigned long size = 1 << 20;
    unsigned char *bytes = malloc(size);
    unsigned state = 1;

#ifndef __x86_64__
    puts("1..0 # SKIP not on this processor");
    return 0;
#endif
    ok(avx512_in_flags("-C target-cpu=native", true), "native, on a processor that has it");
    ok(!avx512_in_flags("-C target-cpu=native", false), "on one that has not");
    ok(avx512_in_flags("-Ctarget-cpu=x86-64-v4", false), "x86-64-v4");
    ok(!avx512_in_flags("-Ctarget-cpu=x86-64-v3", true), "x86-64-v3");
    ok(avx512_in_flags("-C target-feature=+aes,+avx512f", false), "a feature");
    ok(!avx512_in_flags("-C target-feature=-avx512f", true), "a feature switched off");
    ok(avx512_in_flags("-C target-cpu=znver2 -C target-cpu=znver4", false), "the second of two");
    ok(!avx512_in_flags("", true), "neither of two");
    ok(avx512_in_code(code, sizeof code), "three instructions");
    ok(!avx512_in_code(code + 1, sizeof code - 1), "two are too few");
    ok(!avx512_in_code(code, 15) && !avx512_in_code(code, 0), "nothing is read past the end");
    for (unsigned long i = 0; i < size; i++) {
        state = state * 1103515245 + 12345;
        bytes[i] = (unsigned char)(state >> 16);
    }
    ok(!avx512_in_code(bytes, size), "a megabyte by chance");
    free(bytes);
    check_processors();
    check_places();
    return tap_done();
}
