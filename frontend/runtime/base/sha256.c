/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for proving the token and for naming what is sent by
 * its content.
 */
#include "base/base.h"

enum { BLOCK = 64 };

typedef struct state {
    uint32_t h[8];
    uint8_t block[BLOCK];
    uint64_t bytes;
} state;

static void start(state *s) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->h, initial, sizeof initial);
    s->bytes = 0;
}

static size_t fill_block(state *s, const uint8_t *from, size_t bytes) {
    size_t begun = s->bytes % BLOCK, taken = bytes < BLOCK - begun ? bytes : BLOCK - begun;
    memcpy(s->block + begun, from, taken);
    if (begun + taken == BLOCK)
        sha256_blocks(s->h, s->block, 1);
    return taken;
}

static void add(state *s, const void *data, size_t bytes) {
    const uint8_t *from = data;
    if (bytes == 0)
        return;
    size_t taken = s->bytes % BLOCK != 0 ? fill_block(s, from, bytes) : 0;
    size_t whole = (bytes - taken) / BLOCK;
    s->bytes += bytes;
    sha256_blocks(s->h, from + taken, whole);
    taken += whole * BLOCK;
    if (taken < bytes)
        memcpy(s->block, from + taken, bytes - taken);
}

static void finish(state *s, uint8_t out[32]) {
    uint64_t bits = s->bytes * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    add(s, "\x80", 1);
    while (s->bytes % 64 != 56)
        add(s, "", 1);
    add(s, length, 8);
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256(const part parts[], int count, uint8_t out[32]) {
    state s;
    start(&s);
    for (int i = 0; i < count; i++)
        add(&s, parts[i].data, parts[i].bytes);
    finish(&s, out);
}

void ob_sha256(const void *data, uint64_t bytes, uint8_t digest[32]) {
    sha256(&(part){data, bytes}, 1, digest);
}

void hmac_sha256(part key, const part parts[], int count, uint8_t out[32]) {
    state s;
    uint8_t padded[64] = {0};
    if (key.bytes > sizeof padded)
        sha256(&key, 1, padded);
    else
        memcpy(padded, key.data, key.bytes);
    for (int i = 0; i < 64; i++)
        padded[i] ^= 0x36;
    start(&s);
    add(&s, padded, sizeof padded);
    for (int i = 0; i < count; i++)
        add(&s, parts[i].data, parts[i].bytes);
    finish(&s, out);
    for (int i = 0; i < 64; i++)
        padded[i] ^= 0x36 ^ 0x5c;
    sha256((const part[]){{padded, sizeof padded}, {out, 32}}, 2, out);
}
