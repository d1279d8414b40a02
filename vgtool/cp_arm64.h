/*
 * cp_arm64.h - the inlined half of cp_arch.h for 64-bit ARM: constants, and vectors by NEON.
 */
#ifndef CP_ARM64_H
#define CP_ARM64_H

#include "libvex_guest_arm64.h"

#include <arm_neon.h>

/* Bytes that a return takes off the stack: none, the address is in a register. */
#define CP_RETURN_SLOT 0

/* Bytes below the stack pointer that a function may use: none. Handlers that make the interrupted
 * code call a function keep the pointer at a multiple of 16. */
#define CP_RED_ZONE 0

/* Bytes of the instructions that make a client request: five times 4. */
#define CP_REQUEST_SIZE 20

/* Bytes of the instruction that makes a system call. */
#define CP_SYSCALL_SIZE 4

/* The argument of clone that says which word is 0 when the thread has ended. */
#define CP_CLONE_TID 4

/* Low bits of an instruction's address that are 0; the tables of branches leave them out. */
#define CP_ZERO_BITS 2

/* Arguments that are integers in registers; see cp_arch_argument(). */
#define CP_ARGUMENTS 8

/* Where they are in the guest's registers, and where a result is. */
#define CP_ARGUMENT_OFFSET(index) (CP_RESULT_OFFSET + (index) * sizeof(ULong))
#define CP_RESULT_OFFSET          offsetof(VexGuestARM64State, guest_X0)

/* VEX takes B, which jumps, for a call as it does BL. */
static inline Bool cp_arch_is_call(Addr address)
{
    UInt word = *(const UInt *)address;

    return (word & 0xFC000000) != 0x14000000;
}

static inline Bool cp_arch_repeats(Addr address, Bool *is_wrong)
{
    return False;
}

/* Flags of openat. */
#define CP_O_FOLDER    040000
#define CP_O_NO_FOLLOW 0100000

/* The number of this processor in ELF files. */
#define CP_ELF_MACHINE 183

/* cachegrind's caches for this processor, for hosts that do not describe their own. */
#define CP_USUAL_L1 ((Geometry){16384, 4, 64})
#define CP_USUAL_LL ((Geometry){262144, 8, 64})

typedef int32x4_t Vector;

/* A vector as bytes, and as words. */
static inline int8x16_t cp_v_as_bytes(Vector v)
{
    return vreinterpretq_s8_s32(v);
}

static inline Vector cp_v_of_bytes(int8x16_t v)
{
    return vreinterpretq_s32_s8(v);
}

static inline Vector cp_v_load(const void *p)
{
    return vld1q_s32(p);
}

static inline void cp_v_store(void *p, Vector v)
{
    vst1q_s32(p, v);
}

static inline Vector cp_v_zero(void)
{
    return vdupq_n_s32(0);
}

/* Plain char has no sign here. */
static inline Vector cp_v_bytes(char byte)
{
    return cp_v_of_bytes(vdupq_n_s8((int8_t)byte));
}

static inline Vector cp_v_words(Int word)
{
    return vdupq_n_s32(word);
}

static inline UInt cp_v_first_word(Vector v)
{
    return (UInt)vgetq_lane_s32(v, 0);
}

static inline Vector cp_v_equal_bytes(Vector a, Vector b)
{
    return vreinterpretq_s32_u8(vceqq_s8(cp_v_as_bytes(a), cp_v_as_bytes(b)));
}

static inline Vector cp_v_equal_words(Vector a, Vector b)
{
    return vreinterpretq_s32_u32(vceqq_s32(a, b));
}

static inline Vector cp_v_greater_bytes(Vector a, Vector b)
{
    return vreinterpretq_s32_u8(vcgtq_s8(cp_v_as_bytes(a), cp_v_as_bytes(b)));
}

static inline Vector cp_v_less_words(Vector a, Vector b)
{
    return vreinterpretq_s32_u32(vcltq_s32(a, b));
}

static inline Vector cp_v_subtract_bytes(Vector a, Vector b)
{
    return cp_v_of_bytes(vsubq_s8(cp_v_as_bytes(a), cp_v_as_bytes(b)));
}

static inline Vector cp_v_and(Vector a, Vector b)
{
    return vandq_s32(a, b);
}

static inline Vector cp_v_and_not(Vector a, Vector b)
{
    return vbicq_s32(b, a);
}

static inline Vector cp_v_or(Vector a, Vector b)
{
    return vorrq_s32(a, b);
}

static inline Vector cp_v_pack_words(Vector a, Vector b)
{
    return vreinterpretq_s32_s16(vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)));
}

static inline Vector cp_v_pack_halves(Vector a, Vector b)
{
    return cp_v_of_bytes(
        vcombine_s8(vqmovn_s16(vreinterpretq_s16_s32(a)), vqmovn_s16(vreinterpretq_s16_s32(b))));
}

static inline Vector cp_v_swap_pairs(Vector v)
{
    return vextq_s32(v, v, 2);
}

static inline Vector cp_v_swap_words(Vector v)
{
    return vrev64q_s32(v);
}

/* There is no such instruction: the bits of eight bytes are added up. */
static inline UInt cp_v_mask_bytes(Vector v)
{
    static const UChar bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t highest = vreinterpretq_u8_s8(vshrq_n_s8(cp_v_as_bytes(v), 7));
    uint8x16_t set = vandq_u8(highest, vld1q_u8(bits));

    return vaddv_u8(vget_low_u8(set)) | (UInt)vaddv_u8(vget_high_u8(set)) << 8;
}

static inline UInt cp_v_mask_words(Vector v)
{
    static const UInt bits[4] = {1, 2, 4, 8};

    return vaddvq_u32(vandq_u32(vreinterpretq_u32_s32(vshrq_n_s32(v, 31)), vld1q_u32(bits)));
}

#endif
