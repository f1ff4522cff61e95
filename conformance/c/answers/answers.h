/* SPDX-License-Identifier: Apache-2.0
 * The recorder: calls each function of a driver with each class of value of each parameter in each
 * state, and writes down what the driver answers. It needs libc and a libcuda.so.1.
 */
#ifndef OUTBOARD_ANSWERS_H
#define OUTBOARD_ANSWERS_H

#include <functions.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;

/* ---- the driver ------------------------------------------------------------------------------ */

/* Loads it; false where there is none. */
bool driver_load(const char *library);
/* A function by name; NULL where the driver has none of it. */
void *driver_entry(const char *name);
/* Calls one whose prototype is declared. */
#define CALL(name, ...) (((__typeof__(&name))driver_entry(#name))(__VA_ARGS__))

/* ---- cases ----------------------------------------------------------------------------------- */

enum state {
    NORMAL,
    UNINITIALISED,
    NO_CONTEXT,
    OTHER_CONTEXT,
    CAPTURED,
    BESIDE_CAPTURE,
    LOCAL_CAPTURE,
    RELAXED_CAPTURE,
    OTHER_THREADS_CAPTURE,
    AFTER_FAULT,
    PER_THREAD,
    IN_CALLBACK,
    IN_CHILD,
    IN_DESTRUCTOR,
    STATES
};
extern const char *const STATE_NAMES[STATES];

/* What a parameter is in place of something valid. */
enum class {
    VALID,
    IS_NULL,
    ZEROS,
    ONES,
    STRAY,
    OTHER_KIND,
    ENDED,
    LEGACY,
    THREADS_OWN,
    IS_ODD,
    BEYOND,
    HUGE_VALUE,
    MOST,
    HOST,
    MANAGED,
    PAGE_LOCKED,
    EMPTY,
    UNKNOWN,
    NUMBERED /* and the number */
};

/* A case; parameter is -1 where all are valid. */
typedef struct test_case {
    enum state state;
    int function;
    int parameter;
    enum class class;
    word number;
    size_t order;
} test_case;

/* All cases, in order of state, fragile ones last; returns how many. */
size_t cases_make(test_case **cases);
/* "state function parameter=class" */
void case_name(const test_case *one, char *text, size_t room);
/* Whether the driver may do anything, and harm what comes after. */
bool case_fragile(const test_case *one);

/* ---- objects of the driver that cases use ---------------------------------------------------- */

enum { BLOCK = 64 << 10 };

/* Makes what most cases need, and all; false where the driver does not let it. */
bool objects_make(void);
bool objects_make_all(void);
/* Forgets all, resets the device and makes them anew. */
bool objects_renew(void);
/* Forgets those that a call of this function may have ended or changed. */
void objects_forget_used(const char *function);
/* From now on what was made is used, and nothing more is made. */
void objects_freeze(bool frozen);
/* A handle of a type, for a function that is given it as a parameter. */
word object_of(const char *type, const char *function, const char *parameter);
/* One that has been ended; 0 where there is no way to end it. */
word object_ended(const char *type);
/* Device memory, for a function and a parameter of it. */
CUdeviceptr object_address(const char *function, const char *parameter);
/* What a pointer of a type leads to, for such a parameter: in most cases the block, filled. */
void *object_host(const char *type, const char *function, const char *parameter, void *block);
/* A texture or a surface, as the function wants. */
word object_texture(const char *function);
CUdeviceptr object_managed(void);
CUdeviceptr object_freed(void);
void *object_pageable(void);
void *object_page_locked(void);
CUcontext object_context(void);
CUcontext object_other_context(void);
CUstream object_stream(void);
CUstream object_other_stream(void);
CUdeviceptr object_memory(void);
CUfunction object_wild_kernel(void);
const char *object_image(void);
/* A file with it. */
extern char image_file[];
/* No object has it. */
#define UNKNOWN_NAME "no such name"
const char *object_bus(void);

/* ---- arguments ------------------------------------------------------------------------------- */

/* Writes valid arguments but for the one that the case is about; blocks are behind pointers. */
void arguments_make(const test_case *one, word *arguments);
/* What the call has written, as text. */
void arguments_written(const test_case *one, const word *arguments, char *text, size_t room);

/* ---- states ---------------------------------------------------------------------------------- */

/* Runs cases of one state from `from` on; tells each by `begun` and `ended`. */
typedef struct run {
    const test_case *cases;
    size_t from, to;
    void (*begun)(size_t index);
    void (*ended)(size_t index, const char *answer);
} run;
void state_run(const run *run);

#endif
