/*
 * cp_file.c - the buffer, the temporary name and the final name of the file that is being written.
 */
#include "cp_file.h"

#include "cp_core.h"
#include "cp_format.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

/* The file that is being written. Unlike VG_(fprintf), writing stops at the first error and
 * remembers it. */
static struct {
    Int fd;
    Int error; /* errno, or 0 */
    ULong lines;
    UInt n;
    const HChar *path;
    HChar *temporary; /* its name while it is being written; NULL: a device or a pipe, written in
                         place */
    UInt part;
    HChar head[CP_SEND_HEAD]; /* of a packet, before its bytes */
    HChar buffer[CP_SEND_MOST];
} file;

/* Sends a packet with the first `n` bytes of the buffer. Returns 0 or an errno. */
static Int send_packet(HChar letter, UInt n)
{
    const UWord no_signal = 0x4000; /* MSG_NOSIGNAL */
    SysRes sent;

    VG_(memset)(file.head, 0, sizeof file.head);
    VG_(sprintf)(file.head, "%c %d %u", letter, VG_(getpid)(), file.part);
    sent = VG_(do_syscall)(__NR_sendto, (UWord)clo_out_fd, (UWord)file.head, sizeof file.head + n,
                           no_signal, 0, 0, 0, 0);
    return sr_isError(sent) ? (Int)sr_Err(sent) : 0;
}

Int cp_file_write(Int fd, const void *bytes, UInt n)
{
    UInt done = 0;

    while (done < n) {
        SSizeT written = VG_(write)(fd, (const UChar *)bytes + done, (Int)(n - done));
        if (written > 0)
            done += (UInt)written;
        else if (written != -VKI_EINTR)
            return written ? (Int)-written : VKI_EIO;
    }
    return 0;
}

static void flush(void)
{
    if (!file.error)
        file.error = clo_out_fd >= 0 ? send_packet(CP_SEND_DATA, file.n)
                                     : cp_file_write(file.fd, file.buffer, file.n);
    file.n = 0;
}

void cp_put_char(HChar c)
{
    if (file.n == sizeof file.buffer)
        flush();
    file.buffer[file.n++] = c;
    file.lines += c == '\n';
}

void cp_put(const HChar *text)
{
    while (*text)
        cp_put_char(*text++);
}

/* Inlined, so that the base is a constant. */
static inline __attribute__((always_inline)) void put_number(ULong n, UInt base)
{
    HChar digits[24];
    UInt i = sizeof digits;

    do
        digits[--i] = "0123456789abcdef"[n % base];
    while (n /= base);
    if (file.n + sizeof digits > sizeof file.buffer)
        flush();
    for (; i < sizeof digits; i++)
        file.buffer[file.n++] = digits[i];
}

void cp_put_decimal(ULong n)
{
    put_number(n, 10);
}

void cp_put_hex(ULong n)
{
    put_number(n, 16);
}

void cp_put_counts(const ULong *counts, UInt n)
{
    while (n > 1 && !counts[n - 1])
        n--;
    for (UInt i = 0; i < n; i++) {
        cp_put_char(' ');
        cp_put_decimal(counts[i]);
    }
    cp_put_char('\n');
}

void cp_put_bytes(const UChar *bytes, UInt n)
{
    for (UInt i = 0; i < n; i++) {
        cp_put_char("0123456789abcdef"[bytes[i] >> 4]);
        cp_put_char("0123456789abcdef"[bytes[i] & 15]);
    }
}

void cp_put_text(const HChar *text)
{
    for (; *text; text++) {
        UChar c = (UChar)*text;
        if (c < 0x20 || c == 0x7f || c == CP_RAW_ESCAPE) {
            cp_put_char(CP_RAW_ESCAPE);
            cp_put_char('x');
            cp_put_bytes(&c, 1);
        } else {
            cp_put_char((HChar)c);
        }
    }
    cp_put_char('\n');
}

void cp_put_key(const HChar *key)
{
    cp_put(key);
    cp_put(": ");
}

void cp_begin_record(HChar letter)
{
    cp_put_char(letter);
    cp_put_char(' ');
}

ULong cp_file_lines(void)
{
    return file.lines;
}

/* True if the name is not a regular file's. A device or a pipe is written to, never replaced. */
static Bool is_special(const HChar *name)
{
    struct vg_stat st;
    SysRes result = VG_(stat)(name, &st);

    return !sr_isError(result) && !VKI_S_ISREG(st.mode);
}

Bool cp_file_begin(const HChar *path, UInt part)
{
    const HChar *name = path;

    VG_(memset)(&file, 0, sizeof file - sizeof file.buffer);
    file.path = path;
    file.part = part;
    if (clo_out_fd >= 0) {
        file.error = send_packet(CP_SEND_BEGIN, 0);
        return True;
    }
    if (!is_special(path)) {
        file.temporary = VG_(malloc)("cp.file.1", VG_(strlen)(path) + 32);
        VG_(sprintf)(file.temporary, "%s.tmp%d", path, VG_(getpid)());
        name = file.temporary;
    }
    file.fd = VG_(fd_open)(name, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, 0644);
    if (file.fd >= 0)
        return True;
    VG_(umsg)("cannot open '%s' for the profile\n", name);
    VG_(free)(file.temporary);
    return False;
}

static void complain(void)
{
    VG_(umsg)
    ("cannot write the profile '%s': error %d%s\n", file.path, file.error,
     file.error == VKI_ENOSPC  ? " (no space left on the device)"
     : file.error == VKI_EFBIG ? " (file size limit)"
                               : "");
}

void cp_file_end(Bool is_before_exec)
{
    flush();
    if (clo_out_fd >= 0) {
        if (!file.error)
            send_packet(is_before_exec ? CP_SEND_EXEC : CP_SEND_END, 0);
        return;
    }
    VG_(close)(file.fd);
    if (!file.error && file.temporary && VG_(rename)(file.temporary, file.path) != 0)
        file.error = VKI_EACCES;
    if (file.error) {
        complain();
        if (file.temporary)
            VG_(unlink)(file.temporary);
    }
    VG_(free)(file.temporary);
}

void cp_file_withdraw(const HChar *path)
{
    if (clo_out_fd >= 0)
        send_packet(CP_SEND_WITHDRAW, 0);
    else if (!is_special(path))
        VG_(unlink)(path);
}

/*--- The name ---*/

/* True if the file is the profile that this process wrote before it went on as another program. */
static Bool is_of_exec(const HChar *name)
{
    HChar head[512], wanted[64];
    struct vg_stat status;
    SysRes opened;
    Int size;

    /* Opening a pipe would wait for its writer. */
    if (sr_isError(VG_(stat)(name, &status)) || !VKI_S_ISREG(status.mode))
        return False;
    opened = VG_(open)(name, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return False;
    size = VG_(read)((Int)sr_Res(opened), head, sizeof head - 1);
    VG_(close)((Int)sr_Res(opened));
    head[size > 0 ? size : 0] = '\0';
    VG_(sprintf)
    (wanted, "\n" CP_KEY_PID ": %d\n" CP_KEY_EXIT ": exec\n", VG_(getpid)());
    return VG_(strstr)(head, wanted) != NULL;
}

HChar *cp_file_name(const HChar *pattern)
{
    HChar *first = VG_(expand_file_name)("--cprof-out-file", pattern), *name = first;

    for (UInt i = 2; is_of_exec(name); i++) {
        if (name == first)
            name = VG_(malloc)("cp.file.2", VG_(strlen)(first) + 16);
        VG_(sprintf)(name, "%s-%u", first, i);
    }
    if (name != first)
        VG_(free)(first);
    return name;
}
