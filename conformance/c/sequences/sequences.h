/* SPDX-License-Identifier: Apache-2.0
 * Random programs of valid and invalid calls, made of a seed: what each call answers, and what is
 * in memory afterwards. It needs libc and a libcuda.so.1.
 */
#ifndef OUTBOARD_SEQUENCES_H
#define OUTBOARD_SEQUENCES_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 3, LONGEST = 60, SHORTEST = 20, TEXT = 16 };

/* ---- driver.c -------------------------------------------------------------------------------- */

bool driver_load(const char *library);
void *driver_entry(const char *name);
/* Calls one whose prototype is declared. */
#define CALL(name, ...) (((__typeof__(&name))driver_entry(#name))(__VA_ARGS__))

/* ---- numbers.c: the same on every machine ---------------------------------------------------- */

void numbers_seed(uint64_t seed);
/* Below a bound. */
uint32_t number_below(uint32_t bound);
/* One of a list. */
uint64_t one_of(const uint64_t *list, size_t count);

/* ---- operations.c ---------------------------------------------------------------------------- */

/* A call with all its arguments, chosen before it is made. */
typedef struct operation {
    int kind, slots[3];
    uint64_t numbers[3];
} operation;

operation operation_choose(void);
/* Writes the result and what was put out; without a call the thread is as at its beginning. */
void operation_run(const operation *one, char text[TEXT]);
const char *operation_name(const operation *one);

/* ---- objects.c ------------------------------------------------------------------------------- */

enum { SLOTS = 4, BLOCK = 4096 };

extern struct objects {
    CUstream streams[SLOTS];
    CUevent events[SLOTS];
    CUdeviceptr memory[SLOTS];
    void *page_locked[SLOTS];
    CUmodule modules[SLOTS];
    CUfunction functions[SLOTS];
    CUgraph graphs[SLOTS];
    CUgraphNode nodes[SLOTS];
    CUgraphExec executables[SLOTS];
    CUmemoryPool pools[SLOTS];
    CUcontext context;
    CUdeviceptr blocks[SLOTS + 1]; /* of each stream, and of the default one; they stay */
    CUfunction add;
} objects;

/* Once a process. */
bool objects_begin(void);
/* Makes the current thread one of the program's. */
void objects_enter(void);
/* Ends what a program has left; false where the context is lost. Returns a sum of the blocks. */
bool objects_clean(uint64_t *sum);
extern const char IMAGE[];

#endif
