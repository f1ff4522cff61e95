/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks of SHA-256 (FIPS 180-4, section 6.2.2), with the processor's instructions for it where
 * there are such (Intel, "Intel SHA Extensions", 2013; Arm Architecture Reference Manual,
 * FEAT_SHA256): some eight times as fast.
 */
#include "base/base.h"

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void schedule(uint32_t w[64], const uint8_t *block) {
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void compress(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
                    f = state[5], g = state[6], h = state[7];
    schedule(w, block);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 =
            h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
        uint32_t t2 =
            (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    const uint32_t added[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += added[i];
}

void sha256_blocks_anywhere(uint32_t h[8], const uint8_t *from, size_t blocks) {
    for (; blocks > 0; blocks--, from += 64)
        compress(h, from);
}

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

enum { CPUID_SHA = 1 << 29 }; /* leaf 7, register b */

static bool has_instructions(void) {
    static _Atomic int known; /* 1 if not, 2 if so */
    unsigned int a, b, c, d;
    if (known == 0) {
        bool has = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0 &&
                   (c & bit_SSSE3) != 0 && __get_cpuid_max(0, NULL) >= 7;
        if (has)
            __cpuid_count(7, 0, a, b, c, d);
        known = has && (b & CPUID_SHA) != 0 ? 2 : 1;
    }
    return known == 2;
}

/* The instructions keep a, b, e, f in one register and c, d, g, h in another one, the first of each
 * highest. */
__attribute__((target("sha,sse4.1,ssse3"))) static void compress_all(uint32_t h[8],
                                                                     const uint8_t *from,
                                                                     size_t blocks) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)h), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(h + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; blocks > 0; blocks--, from += 64) {
        __m128i w[4], abef_before = abef, cdgh_before = cdgh;
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)from + i), big_endian);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i *now = &w[i & 3], last = w[(i + 3) & 3];
            if (i >= 4) {
                __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, w[(i + 1) & 3]),
                                            _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
                *now = _mm_sha256msg2_epu32(sum, last);
            }
            __m128i added = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(K + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)h, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(h + 4), _mm_alignr_epi8(dchg, feba, 8));
}

void sha256_blocks(uint32_t h[8], const uint8_t *from, size_t blocks) {
    has_instructions() ? compress_all(h, from, blocks) : sha256_blocks_anywhere(h, from, blocks);
}
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

#ifdef __clang__
#define WITH_SHA256 __attribute__((target("sha2")))
#else
#define WITH_SHA256 __attribute__((target("+crypto")))
#endif

enum { HWCAP_OF_SHA2 = 1 << 6 };

WITH_SHA256 static void compress_all(uint32_t h[8], const uint8_t *from, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(h), efgh = vld1q_u32(h + 4);
    for (; blocks > 0; blocks--, from += 64) {
        uint32x4_t w[4], abcd_before = abcd, efgh_before = efgh;
        for (int i = 0; i < 4; i++)
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(from + 16 * i)));
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            uint32x4_t *now = &w[i & 3], abcd_now = abcd;
            if (i >= 4)
                *now = vsha256su1q_u32(vsha256su0q_u32(*now, w[(i + 1) & 3]), w[(i + 2) & 3],
                                       w[(i + 3) & 3]);
            uint32x4_t added = vaddq_u32(*now, vld1q_u32(K + 4 * i));
            abcd = vsha256hq_u32(abcd, efgh, added);
            efgh = vsha256h2q_u32(efgh, abcd_now, added);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(h, abcd);
    vst1q_u32(h + 4, efgh);
}

void sha256_blocks(uint32_t h[8], const uint8_t *from, size_t blocks) {
    (getauxval(AT_HWCAP) & HWCAP_OF_SHA2) != 0 ? compress_all(h, from, blocks)
                                               : sha256_blocks_anywhere(h, from, blocks);
}
#else
void sha256_blocks(uint32_t h[8], const uint8_t *from, size_t blocks) {
    sha256_blocks_anywhere(h, from, blocks);
}
#endif
