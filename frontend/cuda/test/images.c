/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests which parts of images are sent, and how: image_select.c against containers that are put
 * together here, image_send.c against a backend that only writes down its calls.
 */
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

static void fail(int line, const char *what) {
    fprintf(stderr, "images.c:%d: %s\n", line, what);
    exit(1);
}

/* Functions of other folders that the parts need. */
static image_target targets[4];
static int target_count = 1;
static bool passes;
image_target device_target(int ordinal) { return targets[ordinal]; }
int device_count(void) { return target_count; }
bool ob_passes(void) { return passes; }

/* ---- containers ------------------------------------------------------------------------------ */

enum {
    ROOM = 4096,
    HEADER = 64,
    LONG_HEADER = 80,
    SPECIFIC = 0x100000,
    OF_FAMILY = 0x200000,
    OTHER = 8
};

static uint8_t container[ROOM];
static uint64_t container_bytes;

static void put(void *to, uint64_t value, size_t bytes) { memcpy(to, &value, bytes); }

static void set_length(void) { put(container + 8, container_bytes - 16, 8); }

static void begin_container(void) {
    memset(container, 0, sizeof container);
    put(container, 0xba55ed50, 4);
    put(container + 4, 1, 2);
    put(container + 6, 16, 2);
    container_bytes = 16;
    set_length();
}

/* "p75" is PTX for 75, "b90a" a binary for the very architecture 90, "b100f" one for the family,
 * "o80" neither. */
static void add_entry(const char *what) {
    uint8_t *at = container + container_bytes;
    char *suffix;
    uint64_t architecture = strtoul(what + 1, &suffix, 10), payload = 8 * (1 + architecture % 5);
    uint64_t header = *what == 'p' ? LONG_HEADER : HEADER;
    put(at, *what == 'p' ? 1 : *what == 'b' ? 2 : OTHER, 2);
    put(at + 4, header, 4);
    put(at + 8, payload, 8);
    put(at + 28, architecture, 4);
    put(at + 40, *suffix == 'a' ? SPECIFIC : *suffix == 'f' ? OF_FAMILY : 0, 8);
    memset(at + header, *what, payload);
    container_bytes += header + payload;
    set_length();
}

static void build(const char *entries) {
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", entries);
    begin_container();
    for (char *one = strtok_r(rest, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest))
        add_entry(one);
}

static image_target target(int architecture, int takes) {
    return (image_target){architecture, takes};
}

/* The container of `entries`, fitted, is the one of `left`; all of it is sent where that is NULL.
 */
static void fits_to(int line, const char *entries, int count, const char *left) {
    uint8_t expected[ROOM];
    uint64_t expected_bytes = 0, bytes = 0;
    if (left != NULL) {
        build(left);
        expected_bytes = container_bytes;
        memcpy(expected, container, container_bytes);
    }
    build(entries);
    uint8_t *fitted = image_fitted(container, container_bytes, targets, count, &bytes);
    bool right = left == NULL ? fitted == NULL
                              : fitted != NULL && bytes == expected_bytes &&
                                    memcmp(fitted, expected, bytes) == 0;
    free(fitted);
    if (!right)
        fail(line, entries);
}

static void a_driver_gets_what_it_would_choose_from(void) {
    static const struct { int architecture; const char *entries, *left; } cases[] = {
        {90, "b70 b80 b90 p90", "b90"},
        {90, "b70 b90 b90a p90a", "b90 b90a"},
        {90, "b90", NULL},
        {86, "b75 b80 b86 b89 b90 p75 p80 p90", "b86"},
        /* compatible ones: the driver chooses */
        {89, "b75 b80 b86 b90 p75 p80 p90", "b80 b86 p80"},
        {75, "b80 b90 p50 p70 p80", "p70"},
        /* whatever else there is may be used with PTX */
        {75, "o75 b80 p70 b90 p70", "o75 p70 p70"},
        {75, "o75 b75 p70", "b75"},
        {103, "b90 b100 b100a b100f b103a p90", "b103a"},
        {103, "b100a b100f p90 p100f p100a", "b100f p100f"},
        {120, "b100f p100f p90", "p90"},
        /* nothing fits: the backend says so */
        {75, "b80 b90 p80", NULL},
        {75, "b80", NULL},
        {75, "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        targets[0] = target(cases[i].architecture, TAKES_BINARIES);
        fits_to(__LINE__, cases[i].entries, 1, cases[i].left);
    }
}

static void a_compiler_gets_the_newest_text(void) {
    targets[0] = target(90, TAKES_TEXTS);
    fits_to(__LINE__, "b90 b80 p75 p80 p90a p90f p100", 1, "p80");
    fits_to(__LINE__, "o75 p75", 1, "p75");
    fits_to(__LINE__, "p75", 1, NULL);
    fits_to(__LINE__, "b90", 1, NULL);
}

static void several_devices_get_what_each_needs(void) {
    targets[0] = target(75, TAKES_BINARIES);
    targets[1] = target(90, TAKES_BINARIES);
    fits_to(__LINE__, "b70 b75 b80 b90 p90", 2, "b75 b90");
    fits_to(__LINE__, "b75 b80 p70 p80 p100", 2, "b75 p80");
    fits_to(__LINE__, "b75 b80 p100", 2, NULL); /* nothing for the second one */
}

static void whose_devices_are_unknown_sends_everything(void) {
    targets[0] = target(90, TAKES_BINARIES);
    targets[1] = target(0, TAKES_ANYTHING);
    fits_to(__LINE__, "b70 b90", 2, NULL);
    fits_to(__LINE__, "b70 b90", 0, NULL);
    fits_to(__LINE__, "b70 b90", 1, "b90");
}

/* However a container is damaged, nothing beyond it is read: it lies at the end of its memory. */
static void damage_is_left_to_the_backend(void) {
    static const uint64_t values[] = {
        0, 1, 63, 64, 1000, 0x7fffffff, 0xffffffff, UINT64_MAX, UINT64_MAX - 7, 1ull << 63};
    static const struct {
        int offset, bytes;
    } fields[] = {{0, 4},  {6, 2},  {8, 8},  {16, 2}, {20, 4},
                  {24, 8}, {32, 4}, {44, 4}, {56, 8}, {72, 8}};
    uint64_t bytes;
    targets[0] = target(90, TAKES_BINARIES);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
            build("b70 b90 p90");
            put(container + fields[i].offset, values[j], (size_t)fields[i].bytes);
            uint8_t *exactly = malloc(container_bytes);
            CHECK(exactly != NULL);
            memcpy(exactly, container, container_bytes);
            uint8_t *fitted = image_fitted(exactly, container_bytes, targets, 1, &bytes);
            CHECK(fitted == NULL || bytes < container_bytes);
            free(fitted);
            free(exactly);
        }
    for (uint64_t cut = 0; cut < container_bytes; cut++)
        CHECK(image_fitted(container, cut, targets, 1, &bytes) == NULL);
    CHECK(image_fitted(".version 8.0\n", 14, targets, 1, &bytes) == NULL);
}

/* ---- the way --------------------------------------------------------------------------------- */

static char calls[64];              /* one letter each: a asked, k sent to be kept, s sent */
static CUresult answers[4];         /* by the letter's place in "aks" */
static uint8_t last_digest[32];
static uint64_t last_bytes;

static CUresult record(void *to, const uint8_t *digest, const void *image, uint64_t bytes) {
    int what = digest == NULL ? 2 : image == NULL ? 0 : 1;
    CHECK(to == calls);
    calls[strlen(calls)] = "aks"[what];
    if (digest != NULL)
        memcpy(last_digest, digest, sizeof last_digest);
    last_bytes = bytes;
    return answers[what];
}

static const char *sends(uint64_t bytes, int times, CUresult expected) {
    uint8_t *image = calloc(1, bytes);
    CHECK(image != NULL);
    memset(calls, 0, sizeof calls);
    for (int i = 0; i < times; i++)
        CHECK(image_send_whole(record, calls, image, bytes) == expected);
    free(image);
    return calls;
}

static bool is(const char *made, const char *expected) {
    if (strcmp(made, expected) != 0)
        fprintf(stderr, "calls '%s', not '%s'\n", made, expected);
    return strcmp(made, expected) == 0;
}

static void answer(CUresult asked, CUresult kept, CUresult sent) {
    answers[0] = asked;
    answers[1] = kept;
    answers[2] = sent;
}

static void small_images_and_those_that_cost_nothing_are_sent(void) {
    answer(99, 99, 0);
    unsetenv("OUTBOARD_IMAGES");
    CHECK(is(sends((64 << 10) - 1, 1, 0), "s"));
    passes = true;
    CHECK(is(sends(8 << 20, 1, 0), "s"));
    setenv("OUTBOARD_IMAGES", "0", 1);
    CHECK(is(sends(8 << 20, 1, 0), "s"));
    setenv("OUTBOARD_IMAGES", "many", 1);
    CHECK(is(sends(8 << 20, 1, 0), "s"));
    passes = false;
    setenv("OUTBOARD_IMAGES", "200", 1);
    CHECK(is(sends(199, 1, 0), "s"));
    unsetenv("OUTBOARD_IMAGES");
}

static void what_is_there_is_not_sent(void) {
    static const uint8_t of_65536_zeros[] = {0xde, 0x2f, 0x25, 0x60, 0x64, 0xa0, 0xaf, 0x79,
                                             0x77, 0x47, 0xc2, 0xb9, 0x75, 0x05, 0xdc, 0x0b};
    answer(0, 99, 99);
    CHECK(is(sends(64 << 10, 3, 0), "aaa"));
    CHECK(memcmp(last_digest, of_65536_zeros, sizeof of_65536_zeros) == 0 &&
          last_bytes == 64 << 10);
    answer(700, 99, 99); /* whatever goes wrong there, unless it is that nothing is there */
    CHECK(is(sends(64 << 10, 2, 700), "aa"));
}

static void after_a_no_only_large_images_are_asked_for(void) {
    answer(CUDA_ERROR_FILE_NOT_FOUND, 0, 99);
    CHECK(is(sends(64 << 10, 3, 0), "ak" "k" "k"));
    CHECK(is(sends(4 << 20, 2, 0), "ak" "ak"));
    CHECK(is(sends((4 << 20) - 1, 1, 0), "k"));
    answer(0, 0, 99);
    CHECK(is(sends(64 << 10, 1, 0), "k"));
    CHECK(is(sends(4 << 20, 1, 0), "a"));
    CHECK(is(sends(64 << 10, 2, 0), "aa"));
}

static void a_device_gets_its_part(void) {
    uint8_t expected[32];
    answer(CUDA_ERROR_FILE_NOT_FOUND, 0, 0);
    setenv("OUTBOARD_IMAGES", "1", 1);
    targets[0] = target(90, TAKES_BINARIES);
    build("b90");
    ob_sha256(container, container_bytes, expected);
    uint64_t bytes = container_bytes;
    build("b70 b90");
    memset(calls, 0, sizeof calls);
    CHECK(image_send_for(0, record, calls, container, container_bytes) == 0);
    CHECK(memcmp(last_digest, expected, 32) == 0 && last_bytes == bytes);
    setenv("CUDA_FORCE_PTX_JIT", "1", 1);
    CHECK(image_send_for_all(record, calls, container, container_bytes) == 0 &&
          last_bytes == container_bytes);
    unsetenv("CUDA_FORCE_PTX_JIT");
    unsetenv("OUTBOARD_IMAGES");
}

/* A driver that refuses a part gets the whole; a compiler would only say the same again. */
static void a_driver_that_refuses_gets_everything(void) {
    build("b70 b90 p75");
    answer(99, 99, CUDA_ERROR_INVALID_IMAGE);
    targets[0] = target(90, TAKES_BINARIES);
    memset(calls, 0, sizeof calls);
    CHECK(image_send_for(0, record, calls, container, container_bytes) == CUDA_ERROR_INVALID_IMAGE);
    CHECK(is(calls, "ss") && last_bytes == container_bytes);
    targets[0] = target(90, TAKES_TEXTS);
    memset(calls, 0, sizeof calls);
    CHECK(image_send_for(0, record, calls, container, container_bytes) ==
              CUDA_ERROR_INVALID_IMAGE &&
          is(calls, "s"));
    answer(99, 99, 700); /* not about the image */
    targets[0] = target(90, TAKES_BINARIES);
    memset(calls, 0, sizeof calls);
    CHECK(image_send_for(0, record, calls, container, container_bytes) == 700 && is(calls, "s"));
}

/* The last one: from here on nothing is asked. */
static void a_backend_that_keeps_nothing_is_asked_once(void) {
    answer(CUDA_ERROR_NOT_SUPPORTED, 99, 0);
    CHECK(is(sends(4 << 20, 3, 0), "as" "s" "s"));
}

int main(void) {
    a_driver_gets_what_it_would_choose_from();
    a_compiler_gets_the_newest_text();
    several_devices_get_what_each_needs();
    whose_devices_are_unknown_sends_everything();
    damage_is_left_to_the_backend();
    small_images_and_those_that_cost_nothing_are_sent();
    what_is_there_is_not_sent();
    after_a_no_only_large_images_are_asked_for();
    a_device_gets_its_part();
    a_driver_that_refuses_gets_everything();
    a_backend_that_keeps_nothing_is_asked_once();
    return 0;
}
