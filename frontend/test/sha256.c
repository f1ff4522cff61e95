/* SPDX-License-Identifier: Apache-2.0
 *
 * The examples of FIPS 180-4 (NIST's "SHA256" example values) and of RFC 4231.
 */
#include "base/base.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static bool is(const uint8_t digest[32], const char *expected) {
    char text[65];
    for (int i = 0; i < 32; i++)
        sprintf(text + 2 * i, "%02x", digest[i]);
    return strcmp(text, expected) == 0;
}

static bool hashes(const char *text, const char *expected) {
    uint8_t out[32];
    sha256(&(part){text, strlen(text)}, 1, out);
    return is(out, expected);
}

static void digests(void) {
    CHECK(hashes("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    CHECK(hashes("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    CHECK(hashes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    CHECK(hashes("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqk"
                 "lmnopqrlmnopqrsmnopqrstnopqrstu",
                 "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"));
}

static void a_million(void) {
    uint8_t out[32];
    uint8_t *text = malloc(1000000);
    memset(text, 'a', 1000000);
    sha256((const part[]){{text, 63}, {text, 1}, {text, 65}, {text, 1000000 - 129}}, 4, out);
    free(text);
    CHECK(is(out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

/* The processor's own instructions compute the same digests as plain code. */
static void blocks(void) {
    static uint8_t text[64 * 7 + 1];
    uint32_t state = 20261121, one[8], other[8];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
    for (size_t count = 0; count <= 7; count++)
        for (size_t start = 0; start < 2; start++) {
            memcpy(one, text, sizeof one);
            memcpy(other, text, sizeof other);
            sha256_blocks(one, text + start, count);
            sha256_blocks_anywhere(other, text + start, count);
            CHECK(memcmp(one, other, sizeof one) == 0);
        }
}

/* Wherever the bytes are cut. */
static void parts(void) {
    static uint8_t text[300];
    uint8_t whole[32], cut[32];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7);
    ob_sha256(text, sizeof text, whole);
    for (size_t first = 0; first <= 130; first++)
        for (size_t second = 0; second <= 130; second += 13) {
            sha256((const part[]){{text, first},
                                  {text + first, second},
                                  {text + first + second, sizeof text - first - second}},
                   3, cut);
            CHECK(memcmp(whole, cut, sizeof whole) == 0);
        }
}

static bool authenticates(part key, const char *text, const char *expected) {
    uint8_t out[32];
    hmac_sha256(key, (const part[]){{text, 3}, {text + 3, strlen(text) - 3}}, 2, out);
    return is(out, expected);
}

static void authentication(void) {
    uint8_t key[131], text[51] = {0};
    memset(key, 0x0b, 20);
    CHECK(authenticates((part){key, 20}, "Hi There",
                        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
    CHECK(authenticates((part){"Jefe", 4}, "what do ya want for nothing?",
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    memset(key, 0xaa, sizeof key);
    memset(text, 0xdd, 50);
    CHECK(authenticates((part){key, 20}, (char *)text,
                        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"));
    CHECK(authenticates((part){key, 131}, "Test Using Larger Than Block-Size Key - Hash Key First",
                        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
    CHECK(authenticates(
        (part){key, 131},
        "This is a test using a larger than block-size key and a larger than block-size data. "
        "The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"));
    for (int i = 0; i < 25; i++)
        key[i] = (uint8_t)(i + 1);
    memset(text, 0xcd, 50);
    CHECK(authenticates((part){key, 25}, (char *)text,
                        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"));
}

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"digests", digests},
                                         {"a million", a_million},
                                         {"blocks", blocks},
                                         {"parts", parts},
                                         {"authentication", authentication},
                                         {0}},
                     argc, argv);
}
