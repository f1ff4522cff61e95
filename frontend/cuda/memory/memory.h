/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: the kinds of addresses, and the ways to memory of the device, page-locked, managed and
 * shared with other processes.
 */
#ifndef OUTBOARD_CUDA_MEMORY_H
#define OUTBOARD_CUDA_MEMORY_H

#include "stream/stream.h"

#pragma GCC visibility push(hidden)

/* ---- ranges.c: known ranges of memory -------------------------------------------------------- */

typedef struct range {
    uint64_t base, bytes;
    CUcontext context;
    uint64_t serial;            /* unique in the process */
    int ordinal;                /* of the device */
    uint32_t flags;             /* of page-locked memory, as the program gave them */
    bool allocated;             /* page-locked memory: ours to unmap */
    bool shared;                /* page-locked memory: the backend maps it too … */
    bool placed;                /* … at an address among those of the device's own memory … */
    uint64_t offset;            /* … or in memory that this machine shares with its host, else 0 */
    CUdeviceptr device;         /* … and kernels find it here, 0 if they cannot */
    /* page-locked memory: the backend has it, and the program has pages of it … */
    bool paged;
    bool adopted;               /* … which the program had before */
    bool refused;               /* … or kernels cannot have it */
    bool of_graph;              /* freed and allocated again by launches of a graph */
    bool managed;               /* memory of the device that the program uses too */
    bool lasting;               /* does not end with the context */
    bool moved;                 /* registered: into the file of moved.c, at the offset */
} range;

typedef struct range_set range_set;
extern range_set device_ranges, host_ranges;

/* Adds a range, of the current context if it names none, in place of whatever it overlaps. False if
 * memory ran out, or if it overlaps memory of another device, which is said. */
bool range_add(range_set *set, range added);
bool range_find(range_set *set, uint64_t address, range *found);
bool range_overlaps(range_set *set, uint64_t base, uint64_t bytes);
/* Takes out the range that begins at an address. */
bool range_take(range_set *set, uint64_t base, range *taken);
void range_forget_context(range_set *set, CUcontext context);
bool range_any_of(range_set *set, CUcontext context);
/* Takes out one of a context's that is of a kind. */
bool range_take_of(range_set *set, CUcontext context, bool (*is_wanted)(const range *),
                   range *taken);

/* CUmemorytype */
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

/* What some bytes at an address are. */
typedef struct memory_kind {
    bool of_device;             /* they begin in memory of a device … */
    bool whole;                 /* … which has all of them … */
    bool managed;               /* … and the program uses too … */
    bool ends;                  /* … or which ends before they do, and so does what follows it */
    bool shared;                /* page-locked memory, and the backend has all of it too */
    bool kept;                  /* page-locked memory, and the program's alone */
    bool watched;               /* the program sees at once what a device writes there */
} memory_kind;

/* Asks once for all of that; a call asks once for each of its addresses. */
memory_kind memory_ask(uint64_t address, uint64_t bytes);
/* Whether the backend shares all of a range of the program's memory. */
bool host_is_shared(const void *pointer, uint64_t bytes);
/* Whether one side of a copy is memory of the program alone. */
bool is_host_side(int type, CUdeviceptr address);

/* One side of CUDA_MEMCPY3D; both are laid out alike. */
typedef struct box_side {
    uint64_t x, y, z, level;
    int type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    CUcontext context;
    uint64_t pitch, height;
} box_side;

/* ---- host.c: page-locked memory of the program ----------------------------------------------- */

/* Page-locked memory that the backend has not, as across a network: the program itself does a
 * device's work there. */
bool host_is_private(uint64_t address, uint64_t bytes);
/* Kernels get such memory if their parameters have its address. */
void host_offer(const void *parameters, uint64_t bytes);
void host_end(CUcontext context);               /* ends what was memory of a device in a context */

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Reserves and remembers a range that the backend has handed out; without room the caller gives it
 * back. */
CUresult memory_remember(CUdeviceptr address, uint64_t bytes);
/* The same for memory of a graph, which is remembered for ever. */
CUresult memory_remember_of_graph(CUdeviceptr address, uint64_t bytes);
/* Whether there has been such memory. */
bool memory_is_in_graphs(void);
/* Takes a range out, and puts it back where the backend does not free it. */
bool memory_forget(CUdeviceptr address, range *forgotten);
void memory_put_back(range forgotten);

/* ---- reuse.c: memory of pools that a stream frees and allocates again ------------------------ */

/* The facts about such memory. */
typedef struct pool_block {
    CUdeviceptr pointer;
    uint64_t bytes, serial;     /* of its range while the program has it */
    bool named;                 /* of a pool that the program names, not the stream's device's … */
    CUmemoryPool pool;          /* … this one */
    CUstream stream;            /* that has freed it, or is to have it */
    CUcontext context;          /* that was current */
} pool_block;

/* It has been allocated, and may be kept once it is freed. */
void reuse_note(const pool_block *made);
/* Keeps memory that a stream frees, whose range is no more; false if it is to be freed. */
bool reuse_keep(uint64_t serial, CUstream stream);
/* Memory of that length, pool and stream which has been kept, and is no more; false if there is
 * none. */
bool reuse_take(pool_block *wanted);
/* Frees all that is kept, in the order of its streams. */
void reuse_give_back(void);

/* ---- shared.c: memory that the backend maps at the same address ------------------------------ */

/* Memory at one address for program and backend. */
typedef struct shared_piece {
    void *memory;
    uint64_t bytes;
    bool reserved;              /* lies among the addresses of the device's own memory */
    /* in memory that this machine shares with its host, 0 if it does not lie there */
    uint64_t offset;
} shared_piece;

/* The memory is NULL where that is not possible; an error is one of an earlier call. The flags are
 * those of cuMemHostRegister; *device is where kernels find it, or 0. */
CUresult shared_map(uint64_t bytes, uint32_t flags, shared_piece *piece, CUdeviceptr *device);
CUresult shared_unmap(const shared_piece *piece);
uint64_t shared_size(uint64_t bytes);           /* in whole pages */
bool shared_can_be(uint64_t bytes);             /* whether the machine has so many */
/* memory of the program alone, where the backend has room for such too; or MAP_FAILED */
void *shared_map_alone(uint64_t bytes);

/* Has the backend map what the program has mapped of a file; memory->shared says whether it could.
 * An error is one of an earlier call. */
CUresult shared_register(int fd, uint64_t offset, range *memory);

CUresult shared_map_managed(uint64_t bytes, shared_piece *piece);
/* Takes memory in whole pages that the device has alone until now. */
CUresult shared_adopt(CUdeviceptr address, uint64_t bytes, shared_piece *piece);
CUresult shared_unmap_managed(const shared_piece *piece);

/* ---- registered.c ---------------------------------------------------------------------------- */

/* Whether the program itself can read all of a range, and write it if that is wanted. */
bool registered_is_there(uint64_t address, uint64_t bytes, bool written);

/* Shares memory that the program registers, if it is a shared mapping of a file that can be opened,
 * or can become one. The flags are those of cuMemHostRegister. An error is one of an earlier
 * call. */
CUresult registered_share(range *memory, uint32_t flags);
CUresult registered_end(const range *memory);

/* ---- moved.c: memory of the program alone that becomes pages of a file, at the same address -- */

/* Room in the file for whole pages. */
bool moved_room(uint64_t bytes, uint64_t *offset);
int moved_file(void);
/* Moves whole pages, with what they hold, into such room; false, and they are the program's alone,
 * where that cannot be. */
bool moved_there(uint64_t address, uint64_t bytes, uint64_t offset);
/* The contents of such room are the program's alone again, wherever they lie; the room ends. */
void moved_back(uint64_t offset, uint64_t bytes);
/* For the handler of faults: whether somebody who wrote at an address may write now. */
bool moved_settles(uint64_t address);

/* ---- unshared.c ------------------------------------------------------------------------------ */

/* Says once why memory that the program and kernels use together is refused, and what to use
 * instead. Returns the error. */
CUresult unshared_refuse(atomic_flag *said, const char *what, const char *instead);

/* ---- managed.c ------------------------------------------------------------------------------- */

/* Whether all of a range is managed memory: for copies it is the device's, wherever the program
 * says that it is its own. */
bool managed_contains(uint64_t address, uint64_t bytes);
CUresult managed_free(CUdeviceptr pointer);
/* How a program uses a variable: VariableSharing.java. */
#define NOT_SHARED 0
/* anything else are bytes, in whole pages, to be mapped */
#define MIRRORED_VARIABLE UINT64_MAX

/* A variable as the backend has found it. */
typedef struct variable {
    CUdeviceptr address;
    uint64_t bytes, sharing;
    bool of_library;            /* which all contexts have in common */
} variable;

/* Gives the program a variable of a module or a library if it is to use it, which *adopted then
 * says. */
CUresult managed_adopt(const variable *found, const void *owner, bool *adopted);
/* the device whose rules hold for variables: the current one, else the first */
int managed_ordinal(void);
void managed_unload(const void *owner);         /* frees the variables of one that ends */
/* frees those that the backend has no more; an error is one of an earlier call */
CUresult managed_sweep(void);
void managed_end(CUcontext context);            /* frees what was made in a context */

/* ---- mirror.c: pages of the program at the address of a variable ----------------------------- */

/* The address is reserved; the pages hold what the variable holds. */
CUresult mirror_begin(CUdeviceptr address, uint64_t bytes);
void mirror_end(CUdeviceptr address);           /* if there is one */
bool mirror_is_gone(CUdeviceptr address);       /* what has been fetched since has not had it */

void mirrors_send(void);                        /* what the program has changed … */
CUresult mirrors_fetch(void);                   /* … and what a device may have */

/* ---- pages.c: managed memory of the device's, of which the program has pages ----------------- */

/* Pages at the address of a piece of memory, of a context or of none, which are all zeros or are
 * fetched when they are touched. */
CUresult pages_begin(CUdeviceptr address, uint64_t bytes, CUcontext context, bool zeros);
void pages_end(CUdeviceptr address);
/* Memory that the program has in whole pages becomes such memory, which the backend maps at the
 * address. */
CUresult pages_adopt(void *memory, uint64_t bytes, CUcontext context);
void pages_work_begins(void);                   /* changed pages go back, and all are given up … */
void pages_work_begun(void);                    /* … so are those that came meanwhile */
void pages_work_seen(void);                     /* and those that came without waiting for work */

typedef enum touch { TOUCH_READS, TOUCH_WRITES, TOUCH_UNKNOWN } touch;

/* Whether an address may lie in such memory; nothing is locked. */
bool pages_may_have(const void *memory, uint64_t bytes);
bool pages_have(uint64_t address);
/* A word of a page that the program has changed and that has not been sent; false if it has not. */
bool pages_changed(uint64_t address, void *word, size_t bytes);
/* Pages that the program has changed have arrived when this returns. */
void pages_send(void);
/* So many streams more wait for words that the program is to write: its pages wait for none. */
void pages_await(int more);
enum { FETCHED_MOST = OB_CHUNK };
/* Has a page there as it is touched, by a pager with so much room. False if there is none, or it
 * cannot be had. */
/* and in a call that asks for work; while a function in a stream runs */
typedef enum who { FROM_PROGRAM, FROM_CALL, FROM_FUNCTION } who;
bool pages_serve(uint64_t address, touch how, who asks, uint8_t *room);
/* By a thread that has touched a page, in a signal handler: opens one that is here. False if it is
 * not, or work is being asked for. */
bool pages_open(uint64_t address, touch how);

/* ---- habits.c: pages that the program had in its last turn; under the lock of pages ---------- */

enum { HABITS_MOST = 32 };

typedef struct page_run {
    uint64_t first, count;
} page_run;

typedef struct habit {
    const void *of;                             /* NULL: it is forgotten */
    page_run run;
} habit;

/* Forgets all; beyond so many pages none are kept. */
void habits_begin(uint64_t most_pages);
void habits_add(const void *of, page_run run);
void habits_forget(const void *of);
const habit *habit_at(int index);               /* NULL behind the last */
const habit *habit_of(const void *of, uint64_t page);   /* NULL if it is none */

/* ---- paged.c: memory that the backend allocates for such pages, of zeros --------------------- */

CUresult pages_allocate(uint64_t bytes, void **memory);

/* ---- pager.c: threads that have pages come --------------------------------------------------- */

bool pager_start(void);
/* By a thread that has touched a page, in a signal handler. False as pages_serve. */
bool pager_fetch(uint64_t address, touch how);

/* ---- fault.c: threads that touch a page that is away ----------------------------------------- */

/* from here on, in front of what the program has set */
void faults_catch(void);

/* ---- work.c: before and after work of devices ------------------------------------------------ */

enum { WATCHED_FOR_MIRRORS = 1, WATCHED_FOR_PAGES = 2 };
void work_watch(int what, bool watched);
/* whether this thread is in a call that asks for some; in a signal handler, too */
bool work_is_asked_for_here(void);

/* ---- changes.c ------------------------------------------------------------------------------- */

/* A variable in words of 8 bytes, of whose first and last some bytes may not be its own. */
typedef struct word_pair {
    uint64_t *here;             /* what the program has, which may change any time … */
    uint64_t *agreed;           /* … and what both sides had last */
    uint64_t count;
    uint8_t first, last;        /* the variable's bytes of these words, bit n for byte n */
} word_pair;

typedef struct word_span {
    uint64_t first, count;
} word_span;

/* The program's changes of some words: data and mask, from the first changed word to the last. */
word_span changes_find(const word_pair *w, uint64_t from, uint64_t count, uint64_t data[],
                       uint8_t mask[]);
/* The other side has these changes now. */
void changes_agree(const word_pair *w, uint64_t from, uint64_t count, const uint64_t data[],
                   const uint8_t mask[]);
/* Takes what the other side has, without what the program has changed. */
void changes_merge(const word_pair *w, uint64_t from, uint64_t count, const uint64_t fresh[]);

/* ---- descriptors.c: memory as descriptors ---------------------------------------------------- */

/* By which the backend knows what a descriptor is of. */
typedef struct share_ticket {
    uint8_t bytes[64];
} share_ticket;

/* 0 if there are handles of such a type, which can be any number, or why not. */
CUresult descriptor_type(int type);
CUresult descriptor_made_as(int type);
CUresult descriptor_read_as(int type);
/* A descriptor for a ticket, which ends if there can be none. */
CUresult descriptor_hand_out(const share_ticket *content, void *handle);
/* The ticket of a descriptor, which may be anything. */
CUresult descriptor_read(const void *handle, share_ticket *content);
/* Tells the backend which descriptors nobody has any more. */
void descriptors_sweep(void);

#pragma GCC visibility pop

#endif
