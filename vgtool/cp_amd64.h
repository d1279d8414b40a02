/*
 * cp_amd64.h - the inlined half of cp_arch.h for x86-64: constants, and vectors by SSE2.
 */
#ifndef CP_AMD64_H
#define CP_AMD64_H

#include "libvex_guest_amd64.h"

#include <emmintrin.h>

/* Bytes that a return takes off the stack: the address. */
#define CP_RETURN_SLOT 8

/* Bytes below the stack pointer that a function may use. Handlers that change the stack spare them.
 */
#define CP_RED_ZONE 128

/* Bytes of the instructions that make a client request: four times 4, and 3. */
#define CP_REQUEST_SIZE 19

/* Bytes of the instruction that makes a system call. */
#define CP_SYSCALL_SIZE 2

/* The argument of clone that says which word is 0 when the thread has ended. */
#define CP_CLONE_TID 3

/* Low bits of an instruction's address that are 0; the tables of branches leave them out. */
#define CP_ZERO_BITS 0

/* Arguments that are integers in registers; see cp_arch_argument(). */
#define CP_ARGUMENTS 6

/* Where they are in the guest's registers, and where a result is. */
extern const UShort cp_arch_arguments[CP_ARGUMENTS];
#define CP_ARGUMENT_OFFSET(index) cp_arch_arguments[index]
#define CP_RESULT_OFFSET          offsetof(VexGuestAMD64State, guest_RAX)

/* VEX takes nothing but calls for calls. */
static inline Bool cp_arch_is_call(Addr address)
{
    return True;
}

Bool cp_arch_repeats(Addr address, Bool *is_wrong);

/* Flags of openat. */
#define CP_O_FOLDER    0200000
#define CP_O_NO_FOLLOW 0400000

/* The number of this processor in ELF files. */
#define CP_ELF_MACHINE 62

/* cachegrind's caches for this processor, for hosts that do not describe their own. */
#define CP_USUAL_L1 ((Geometry){65536, 2, 64})
#define CP_USUAL_LL ((Geometry){262144, 8, 64})

typedef __m128i Vector;

static inline Vector cp_v_load(const void *p)
{
    return _mm_load_si128((const __m128i *)p);
}

static inline void cp_v_store(void *p, Vector v)
{
    _mm_store_si128((__m128i *)p, v);
}

static inline Vector cp_v_zero(void)
{
    return _mm_setzero_si128();
}

static inline Vector cp_v_bytes(char byte)
{
    return _mm_set1_epi8(byte);
}

static inline Vector cp_v_words(Int word)
{
    return _mm_set1_epi32(word);
}

static inline UInt cp_v_first_word(Vector v)
{
    return (UInt)_mm_cvtsi128_si32(v);
}

static inline Vector cp_v_equal_bytes(Vector a, Vector b)
{
    return _mm_cmpeq_epi8(a, b);
}

static inline Vector cp_v_equal_words(Vector a, Vector b)
{
    return _mm_cmpeq_epi32(a, b);
}

static inline Vector cp_v_greater_bytes(Vector a, Vector b)
{
    return _mm_cmpgt_epi8(a, b);
}

static inline Vector cp_v_less_words(Vector a, Vector b)
{
    return _mm_cmplt_epi32(a, b);
}

static inline Vector cp_v_subtract_bytes(Vector a, Vector b)
{
    return _mm_sub_epi8(a, b);
}

static inline Vector cp_v_and(Vector a, Vector b)
{
    return _mm_and_si128(a, b);
}

static inline Vector cp_v_and_not(Vector a, Vector b)
{
    return _mm_andnot_si128(a, b);
}

static inline Vector cp_v_or(Vector a, Vector b)
{
    return _mm_or_si128(a, b);
}

static inline Vector cp_v_pack_words(Vector a, Vector b)
{
    return _mm_packs_epi32(a, b);
}

static inline Vector cp_v_pack_halves(Vector a, Vector b)
{
    return _mm_packs_epi16(a, b);
}

static inline Vector cp_v_swap_pairs(Vector v)
{
    return _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2));
}

static inline Vector cp_v_swap_words(Vector v)
{
    return _mm_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1));
}

static inline UInt cp_v_mask_bytes(Vector v)
{
    return (UInt)_mm_movemask_epi8(v);
}

static inline UInt cp_v_mask_words(Vector v)
{
    return (UInt)_mm_movemask_ps(_mm_castsi128_ps(v));
}

#endif
