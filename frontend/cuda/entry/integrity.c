/* SPDX-License-Identifier: Apache-2.0
 *
 * HMAC-MD2: RFC 1319 (MD2) and RFC 2104 (HMAC). The substitution table of MD2 is a permutation made
 * from the digits of pi; the table is RFC 1319's, section 3.2.
 */
#include "entry/entry.h"

enum { BLOCK = 16 };

static const uint8_t substitution[256] = {
    41,  46,  67,  201, 162, 216, 124, 1,   61,  54,  84,  161, 236, 240, 6,   19,
    98,  167, 5,   243, 192, 199, 115, 140, 152, 147, 43,  217, 188, 76,  130, 202,
    30,  155, 87,  60,  253, 212, 224, 22,  103, 66,  111, 24,  138, 23,  229, 18,
    190, 78,  196, 214, 218, 158, 222, 73,  160, 251, 245, 142, 187, 47,  238, 122,
    169, 104, 121, 145, 21,  178, 7,   63,  148, 194, 16,  137, 11,  34,  95,  33,
    128, 127, 93,  154, 90,  144, 50,  39,  53,  62,  204, 231, 191, 247, 151, 3,
    255, 25,  48,  179, 72,  165, 181, 209, 215, 94,  146, 42,  172, 86,  170, 198,
    79,  184, 56,  210, 150, 164, 125, 182, 118, 252, 107, 226, 156, 116, 4,   241,
    69,  157, 112, 89,  100, 113, 135, 32,  134, 91,  207, 101, 230, 45,  168, 2,
    27,  96,  37,  173, 174, 176, 185, 246, 28,  70,  97,  105, 52,  64,  126, 15,
    85,  71,  163, 35,  221, 81,  175, 58,  195, 92,  249, 206, 186, 197, 234, 38,
    44,  83,  13,  110, 133, 40,  132, 9,   211, 223, 205, 244, 65,  129, 77,  82,
    106, 220, 55,  200, 108, 193, 171, 250, 36,  225, 123, 8,   12,  189, 177, 74,
    120, 136, 149, 139, 227, 99,  232, 109, 233, 203, 213, 254, 59,  0,   29,  57,
    242, 239, 183, 14,  102, 88,  208, 228, 166, 119, 114, 248, 235, 117, 75,  10,
    49,  68,  80,  180, 143, 237, 31,  26,  219, 153, 141, 51,  159, 17,  131, 20,
};

typedef struct md2 {
    uint8_t state[BLOCK], checksum[BLOCK], pending[BLOCK];
    size_t pending_bytes;
} md2;

static void mix_state(md2 *hash, const uint8_t block[BLOCK]) {
    uint8_t x[3 * BLOCK], t = 0;
    for (int i = 0; i < BLOCK; i++) {
        x[i] = hash->state[i];
        x[BLOCK + i] = block[i];
        x[2 * BLOCK + i] = hash->state[i] ^ block[i];
    }
    for (int round = 0; round < 18; round++) {
        for (int i = 0; i < 3 * BLOCK; i++)
            t = x[i] ^= substitution[t];
        t = (uint8_t)(t + round);
    }
    memcpy(hash->state, x, BLOCK);
}

static void mix_checksum(md2 *hash, const uint8_t block[BLOCK]) {
    uint8_t last = hash->checksum[BLOCK - 1];
    for (int i = 0; i < BLOCK; i++)
        last = hash->checksum[i] ^= substitution[block[i] ^ last];
}

static void update(md2 *hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash->pending[hash->pending_bytes++] = bytes[i];
        if (hash->pending_bytes == BLOCK) {
            mix_state(hash, hash->pending);
            mix_checksum(hash, hash->pending);
            hash->pending_bytes = 0;
        }
    }
}

static void finish(md2 *hash, uint8_t digest[BLOCK]) {
    uint8_t padding[BLOCK], checksum[BLOCK];
    size_t missing = BLOCK - hash->pending_bytes;
    memset(padding, (int)missing, sizeof padding);
    update(hash, padding, missing);
    memcpy(checksum, hash->checksum, BLOCK);
    mix_state(hash, checksum);
    memcpy(digest, hash->state, BLOCK);
}

static void hash_with(const uint8_t key[BLOCK], uint8_t with, const uint8_t *message, size_t bytes,
                      uint8_t digest[BLOCK]) {
    md2 hash = {.pending_bytes = 0};
    uint8_t start[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        start[i] = key[i] ^ with;
    update(&hash, start, BLOCK);
    update(&hash, message, bytes);
    finish(&hash, digest);
}

void hmac_md2(const uint8_t key[BLOCK], const uint8_t *message, size_t bytes,
              uint8_t digest[BLOCK]) {
    uint8_t inner[BLOCK];
    hash_with(key, 0x36, message, bytes, inner);
    hash_with(key, 0x5c, inner, BLOCK, digest);
}
