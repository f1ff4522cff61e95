/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the parts of a container that the devices can use. Libraries carry a binary for each
 * architecture there is, of which a device takes one: the others need not travel. The rest is a
 * container still, with its entries whole and in their order.
 *
 * Which entry a driver takes: CUDA C++ Programming Guide, "Binary Compatibility" and "PTX
 * Compatibility"; NVCC, "GPU Compilation". A binary of the very architecture wins. Where there is
 * none, this side leaves the choice among those of the same major architecture, and the PTX, to the
 * driver.
 */
#include "image/image.h"

#include <stdlib.h>

#define CONTAINER_MAGIC 0xBA55ED50u

enum { PTX = 1, BINARY = 2 };

/* Of entries that run on their own architecture only, or on its family. */
#define SPECIFIC 0x100000ull
#define OF_FAMILY 0x200000ull

typedef struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;                     /* behind the header */
} container;

typedef struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;             /* padded */
    uint32_t compressed_bytes;          /* 0 if it is not */
    uint32_t options;
    uint32_t language;
    uint32_t architecture;
    uint64_t name;
    uint64_t flags;
    uint64_t key, uncompressed_bytes;
} entry;

_Static_assert(sizeof(entry) == 64, "the header has no padding");

/* The best entries for a device in a container. */
typedef struct choice {
    image_target target;
    bool exact, compatible;             /* binaries */
    /* the highest architecture of PTX that it can compile, 0 if there is none */
    int text;
} choice;

/* ---- entries --------------------------------------------------------------------------------- */

/* How long the entry is; 0 if it does not fit. */
static uint64_t read_entry(entry *to, const uint8_t *at, uint64_t left) {
    if (left < sizeof *to)
        return 0;
    memcpy(to, at, sizeof *to);
    uint64_t payload = to->payload_bytes > to->compressed_bytes ? to->payload_bytes
                                                                : to->compressed_bytes;
    if (to->header_bytes < sizeof *to || to->header_bytes > left ||
        payload > left - to->header_bytes)
        return 0;
    return to->header_bytes + payload;
}

static bool is_of_major(const entry *e, const image_target *target) {
    return (int)e->architecture / 10 == target->architecture / 10;
}

static bool suits(const entry *e, const image_target *target) {
    int architecture = e->architecture < 10000 ? (int)e->architecture : 10000;
    if ((e->flags & SPECIFIC) != 0)
        return architecture == target->architecture;
    return architecture <= target->architecture &&
           ((e->flags & OF_FAMILY) == 0 || is_of_major(e, target));
}

static bool is_binary(const entry *e, const choice *of) {
    return of->target.takes == TAKES_BINARIES && e->kind == BINARY && suits(e, &of->target) &&
           is_of_major(e, &of->target);
}

static bool is_exact(const entry *e, const choice *of) {
    return is_binary(e, of) && (int)e->architecture == of->target.architecture;
}

/* A device that takes texts alone takes none that is for one architecture. */
static bool is_text(const entry *e, const choice *of) {
    return e->kind == PTX && suits(e, &of->target) &&
           (of->target.takes == TAKES_BINARIES || (e->flags & (SPECIFIC | OF_FAMILY)) == 0);
}

static void look(choice *of, const entry *e) {
    of->exact = of->exact || is_exact(e, of);
    of->compatible = of->compatible || is_binary(e, of);
    if (is_text(e, of) && (int)e->architecture > of->text)
        of->text = (int)e->architecture;
}

/* Entries of other kinds may be used where there is no binary of the very architecture. */
static bool wants(const choice *of, const entry *e) {
    if (of->exact)
        return is_exact(e, of);
    if (e->kind == PTX)
        return is_text(e, of) && (int)e->architecture == of->text;
    return of->target.takes == TAKES_BINARIES && (e->kind != BINARY || is_binary(e, of));
}

/* ---- containers ------------------------------------------------------------------------------ */

typedef struct devices {
    choice *choices;
    int count;
} devices;

static bool wanted(const devices *all, const entry *e) {
    for (int i = 0; i < all->count; i++)
        if (wants(&all->choices[i], e))
            return true;
    return false;
}

/* Looks at the entries; false if they are damaged. */
static bool look_at_all(const devices *all, const uint8_t *at, uint64_t left) {
    entry e;
    while (left > 0) {
        uint64_t bytes = read_entry(&e, at, left);
        if (bytes == 0)
            return false;
        for (int i = 0; i < all->count; i++)
            look(&all->choices[i], &e);
        at += bytes;
        left -= bytes;
    }
    return true;
}

/* Where a device finds nothing, whoever has it says what is wrong. */
static bool all_find_something(const devices *all) {
    for (int i = 0; i < all->count; i++)
        if (!all->choices[i].compatible && all->choices[i].text == 0)
            return false;
    return true;
}

/* Copies the entries that are wanted, if there is a place to copy to; returns how many bytes they
 * are. */
static uint64_t copy_wanted(const devices *all, uint8_t *to, const uint8_t *at, uint64_t left) {
    uint64_t copied = 0;
    entry e;
    while (left > 0) {
        uint64_t bytes = read_entry(&e, at, left);
        if (wanted(all, &e)) {
            if (to != NULL)
                memcpy(to + copied, at, bytes);
            copied += bytes;
        }
        at += bytes;
        left -= bytes;
    }
    return copied;
}

static void *without_unfit(const devices *all, const uint8_t *image, const container *c,
                           uint64_t *fitted_bytes) {
    const uint8_t *entries = image + c->header_bytes;
    if (!look_at_all(all, entries, c->bytes) || !all_find_something(all))
        return NULL;
    container fitted = *c;
    fitted.bytes = copy_wanted(all, NULL, entries, c->bytes);
    uint8_t *to = fitted.bytes < c->bytes ? malloc(c->header_bytes + fitted.bytes) : NULL;
    if (to == NULL)
        return NULL;
    memcpy(to, image, c->header_bytes);
    memcpy(to, &fitted, sizeof fitted);
    copy_wanted(all, to + c->header_bytes, entries, c->bytes);
    *fitted_bytes = c->header_bytes + fitted.bytes;
    return to;
}

void *image_fitted(const void *image, uint64_t bytes, const image_target targets[], int count,
                   uint64_t *fitted_bytes) {
    choice choices[DEVICE_LIMIT];
    container c;
    if (bytes < sizeof c || count == 0 || count > DEVICE_LIMIT)
        return NULL;
    memcpy(&c, image, sizeof c);
    if (c.magic != CONTAINER_MAGIC || c.header_bytes < sizeof c || c.header_bytes > bytes ||
        c.bytes != bytes - c.header_bytes)
        return NULL;
    for (int i = 0; i < count; i++) {
        if (targets[i].takes == TAKES_ANYTHING)
            return NULL;
        choices[i] = (choice){.target = targets[i]};
    }
    return without_unfit(&(devices){choices, count}, image, &c, fitted_bytes);
}
