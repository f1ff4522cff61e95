/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of devices, as the backend tells it (RecordForm.java has the form), and as programs read
 * it. A backend may lie: lengths, numbers and counts are looked at before they are believed.
 */
#include "profile.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BLOCK_MOST = 1 << 20,
    BLOCKS_MOST = 1 << 12,      /* that one flush takes */
    NAMES_MOST = 1 << 16,
    NAME_MOST = 32 << 10,
    NAMES_BYTES = 64 << 20,     /* of all names */
};

typedef struct head {
    uint32_t kind, bytes;
} head;

/* The kind of entries that are no activity. */
enum { ENTRY_NAME = 0 };

/* CUpti_ActivityMemoryKind */
enum { PAGEABLE = 1, PAGE_LOCKED = 2 };

typedef struct name_entry {
    head head;
    uint64_t number;
    uint32_t length, zero;
} name_entry;

typedef struct work_entry {
    head head;
    uint64_t sequence, begin, end;
    uint32_t device, context, stream, graph;
    uint64_t node;
} work_entry;

typedef struct copy_entry {
    work_entry work;
    uint64_t bytes;
    uint32_t copy_kind, source_kind, target_kind, flags;
} copy_entry;

typedef struct fill_entry {
    work_entry work;
    uint64_t bytes;
    uint32_t value, memory_kind;
} fill_entry;

typedef struct kernel_entry {
    work_entry work;
    uint64_t name;
    int32_t grid[3], block[3], static_shared, dynamic_shared;
    uint32_t registers, local_per_thread, local_total, zero;
} kernel_entry;

_Static_assert(sizeof(name_entry) == 24 && sizeof(work_entry) == 56 && sizeof(copy_entry) == 80 &&
                   sizeof(fill_entry) == 72 && sizeof(kernel_entry) == 112,
               "as RecordForm.java has them");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock. Names stay as long as the process: programs keep what records point to. */
static const char *names[NAMES_MOST];
static size_t name_bytes;
static struct {
    copy_entry copy;            /* kind 0: there is none */
    ob_note note;
} pending;
static uint64_t until;          /* no record ends later */

/* ---- names ----------------------------------------------------------------------------------- */

static void keep_name(const name_entry *entry) {
    if (entry->number >= NAMES_MOST || entry->length > entry->head.bytes - sizeof *entry ||
        entry->length > NAME_MOST || name_bytes + entry->length > NAMES_BYTES)
        return;
    char *name = malloc(entry->length + 1u);
    if (name == NULL)
        return;
    memcpy(name, entry + 1, entry->length);
    name[entry->length] = '\0';
    name_bytes += entry->length;
    names[entry->number] = name; /* an earlier one is in records */
}

static const char *name_of(uint64_t number) {
    const char *name = number < NAMES_MOST ? names[number] : NULL;
    return name != NULL ? name : "unknown";
}

/* ---- records --------------------------------------------------------------------------------- */

/* Which call of the program it is of. False for work that is Outboard's own. */
static bool note_of(const work_entry *work, ob_note *note) {
    *note = (ob_note){0};
    if (work->sequence == 0)
        return false;
    return !ob_noted(work->sequence, note) || note->number != 0;
}

/* No work begins before its call, or ends after it has been asked for. */
static uint64_t within(uint64_t time, const ob_note *note) {
    return time < note->begun ? note->begun : time > until ? until : time;
}

/* The program's memory is what the program calls it: here the bytes may have gone another way. */
static uint8_t memory_kind(uint32_t kind, const ob_note *note) {
    if (kind != PAGEABLE && kind != PAGE_LOCKED)
        return (uint8_t)kind;
    return (note->flags & OB_NOTE_PAGEABLE) != 0      ? PAGEABLE
           : (note->flags & OB_NOTE_PAGE_LOCKED) != 0 ? PAGE_LOCKED
                                                      : (uint8_t)kind;
}

/* As the program counts them; one that it does not see keeps the backend's number. */
static uint32_t device_number(uint32_t theirs) {
    const ob_devices *devices = ob_devices_known();
    int ordinal;
    bool seen = devices != NULL && theirs <= INT32_MAX &&
                devices->for_program((int)theirs, &ordinal) == 0;
    return seen ? (uint32_t)ordinal : theirs;
}

static void trace(const work_entry *work, const char *name, uint64_t bytes,
                  const kernel_entry *kernel) {
    if (!timeline_is_on())
        return;
    ob_trace_work(&(ob_work){
        .sequence = work->sequence,
        .begin = work->begin,
        .end = work->end,
        .device = device_number(work->device),
        .stream = work->stream,
        .name = name,
        .grid = kernel != NULL ? kernel->grid : NULL,
        .block = kernel != NULL ? kernel->block : NULL,
        .bytes = bytes,
    });
}

/* CUpti_ActivityMemcpyKind */
static const char *name_of_copy(uint32_t kind) {
    static const char *const all[] = {
        "Memcpy",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA",
        "Memcpy AtoD", "Memcpy DtoA", "Memcpy DtoD", "Memcpy HtoH", "Memcpy PtoP",
    };
    return kind < sizeof all / sizeof all[0] ? all[kind] : all[0];
}

/* Where a trace has devices record, too, it is not all for the program. */
static bool is_for_program(enum kind kind) { return !timeline_is_on() || activity_is_on(kind); }

static void put_copy(const copy_entry *from, const ob_note *note) {
    trace(&from->work, name_of_copy(from->copy_kind), from->bytes, NULL);
    if (!is_for_program(KIND_MEMCPY) && !is_for_program(KIND_MEMCPY2))
        return;
    copy_record one = {
        .kind = KIND_MEMCPY,
        .copy_kind = (uint8_t)from->copy_kind,
        .source_kind = memory_kind(from->source_kind, note),
        .target_kind = memory_kind(from->target_kind, note),
        .flags = (uint8_t)from->flags,
        .bytes = from->bytes,
        .start = within(clock_of(from->work.begin), note),
        .end = within(clock_of(from->work.end), note),
        .device = device_number(from->work.device),
        .context = from->work.context,
        .stream = from->work.stream,
        .correlation = note->number,
        .graph_node = from->work.node,
        .graph = from->work.graph,
        .copies = 1,
    };
    buffers_put(&one, sizeof one);
}

static void put_pending(void) {
    if (pending.copy.work.head.kind != 0)
        put_copy(&pending.copy, &pending.note);
    pending.copy.work.head.kind = 0;
}

/* One copy of the program may travel in pieces. */
static bool joins(const copy_entry *one, const ob_note *note) {
    const copy_entry *before = &pending.copy;
    return before->work.head.kind != 0 && note->number != 0 && one->work.graph == 0 &&
           pending.note.number == note->number && before->copy_kind == one->copy_kind &&
           before->work.stream == one->work.stream && before->work.device == one->work.device;
}

static void add_copy(const copy_entry *one, const ob_note *note) {
    work_entry *all = &pending.copy.work;
    if (!joins(one, note)) {
        put_pending();
        pending.copy = *one;
        pending.note = *note;
        return;
    }
    pending.copy.bytes += one->bytes;
    all->begin = one->work.begin < all->begin ? one->work.begin : all->begin;
    all->end = one->work.end > all->end ? one->work.end : all->end;
}

static void put_fill(const fill_entry *from, const ob_note *note) {
    trace(&from->work, "Memset", from->bytes, NULL);
    if (!is_for_program(KIND_MEMSET))
        return;
    fill_record one = {
        .kind = KIND_MEMSET,
        .value = from->value,
        .bytes = from->bytes,
        .start = within(clock_of(from->work.begin), note),
        .end = within(clock_of(from->work.end), note),
        .device = device_number(from->work.device),
        .context = from->work.context,
        .stream = from->work.stream,
        .correlation = note->number,
        .memory_kind = (uint16_t)from->memory_kind,
        .graph_node = from->work.node,
        .graph = from->work.graph,
    };
    buffers_put(&one, sizeof one);
}

static void put_kernel(const kernel_entry *from, const ob_note *note) {
    static int64_t grids;
    const char *name = name_of(from->name);
    trace(&from->work, name, 0, from);
    if (!is_for_program(KIND_KERNEL) && !is_for_program(KIND_CONCURRENT_KERNEL))
        return;
    kernel_record one = {
        .kind = activity_is_on(KIND_KERNEL) ? KIND_KERNEL : KIND_CONCURRENT_KERNEL,
        .registers = (uint16_t)from->registers,
        .start = within(clock_of(from->work.begin), note),
        .end = within(clock_of(from->work.end), note),
        .device = device_number(from->work.device),
        .context = from->work.context,
        .stream = from->work.stream,
        .static_shared = from->static_shared,
        .dynamic_shared = from->dynamic_shared,
        .local_per_thread = from->local_per_thread,
        .local_total = from->local_total,
        .correlation = note->number,
        .grid_id = ++grids,
        .name = name,
        .graph_node = from->work.node,
        .graph = from->work.graph,
        .local_total_wide = from->local_total,
    };
    memcpy(one.grid, from->grid, sizeof one.grid);
    memcpy(one.block, from->block, sizeof one.block);
    one.completed = one.end;
    buffers_put(&one, sizeof one);
}

static void put_graph(const work_entry *from, const ob_note *note) {
    uint32_t device = device_number(from->device);
    trace(from, "graph", 0, NULL);
    if (!is_for_program(KIND_GRAPH_TRACE))
        return;
    graph_record one = {
        .kind = KIND_GRAPH_TRACE,
        .correlation = note->number,
        .start = within(clock_of(from->begin), note),
        .end = within(clock_of(from->end), note),
        .device = device,
        .graph = from->graph,
        .context = from->context,
        .stream = from->stream,
        .end_device = device,
        .end_context = from->context,
    };
    buffers_put(&one, sizeof one);
}

static void put_work(const work_entry *work) {
    ob_note note;
    if (!note_of(work, &note))
        return;
    if (work->head.kind == KIND_MEMCPY && work->head.bytes >= sizeof(copy_entry)) {
        add_copy((const copy_entry *)(const void *)work, &note);
        return;
    }
    put_pending();
    if (work->head.kind == KIND_MEMSET && work->head.bytes >= sizeof(fill_entry))
        put_fill((const fill_entry *)(const void *)work, &note);
    else if (work->head.kind == KIND_CONCURRENT_KERNEL && work->head.bytes >= sizeof(kernel_entry))
        put_kernel((const kernel_entry *)(const void *)work, &note);
    else if (work->head.kind == KIND_GRAPH_TRACE)
        put_graph(work, &note);
}

/* Entries of unknown kinds are left out: a newer backend may tell more. */
static bool put_block(const uint8_t *block, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
        const head *one = (const head *)(const void *)(block + at);
        if (bytes - at < sizeof *one || one->bytes < sizeof *one || one->bytes % 8 != 0 ||
            one->bytes > bytes - at)
            return false;
        if (one->kind == ENTRY_NAME && one->bytes >= sizeof(name_entry))
            keep_name((const name_entry *)(const void *)one);
        else if (one->kind != ENTRY_NAME && one->bytes >= sizeof(work_entry))
            put_work((const work_entry *)(const void *)one);
        at += one->bytes;
    }
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static CUptiResult take_blocks(uint8_t *block, uint64_t bytes) {
    CUptiResult result = SUCCESS;
    for (int taken = 0; bytes > 0 && taken < BLOCKS_MOST && result == SUCCESS; taken++) {
        uint64_t next = 0;
        if (bytes > BLOCK_MOST)
            return UNKNOWN_ERROR;
        result = remote_outboardActivityTake(block, bytes, &next, 0);
        if (result == SUCCESS && !put_block(block, bytes))
            result = UNKNOWN_ERROR;
        bytes = next;
    }
    put_pending();
    return result;
}

/* Under the lock. */
static CUptiResult take(uint32_t flags) {
    uint64_t bytes = 0, dropped = 0;
    CUptiResult result = remote_outboardActivityFlush(&bytes, &dropped, flags);
    if (result != SUCCESS || !clock_compare(false))
        return result == SUCCESS ? NOT_INITIALIZED : result;
    until = clock_now();
    if (dropped > 0) {
        buffers_lost(dropped);
        timeline_lost(dropped);
    }
    uint8_t *block = bytes > 0 ? malloc(BLOCK_MOST) : NULL;
    if (bytes > 0 && block == NULL)
        return OUT_OF_MEMORY;
    result = take_blocks(block, bytes);
    free(block);
    return result;
}

CUptiResult device_take(bool behind_all) {
    if (!activity_was_asked())
        return SUCCESS;
    if (behind_all)
        pthread_mutex_lock(&lock);
    else if (pthread_mutex_trylock(&lock) != 0)
        return SUCCESS;
    CUptiResult result = take(behind_all ? OB_ORDERED : 0);
    pthread_mutex_unlock(&lock);
    return result;
}
