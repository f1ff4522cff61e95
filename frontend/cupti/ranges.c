/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges and marks that the program names with NVTX. NVTX has tables of functions in each library
 * that uses it, and a tool puts its own there (NVTX 3, "injection"): those that tell nothing here
 * stay as they are, which is to do nothing.
 */
#include "profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

/* ---- the interface of NVTX ------------------------------------------------------------------- */

typedef void any_function(void);

typedef struct callback_tables {
    size_t bytes;
    int (*table)(uint32_t module, any_function ****functions, uint32_t *count);
} callback_tables;

enum { CALLBACKS = 1 };         /* of the tables that it exports */
enum { CORE = 1, CORE2 = 5 };   /* modules */

/* Functions of CORE … */
enum {
    MARK_EX = 1, MARK_A, MARK_W, START_EX, START_A, START_W, END, PUSH_EX, PUSH_A, PUSH_W, POP,
};
/* … and of CORE2. */
enum {
    DOMAIN_MARK = 1, DOMAIN_START, DOMAIN_END, DOMAIN_PUSH, DOMAIN_POP,
    REGISTER_A = 10, REGISTER_W, DOMAIN_CREATE_A, DOMAIN_CREATE_W, DOMAIN_DESTROY,
};

typedef struct attributes {
    uint16_t version, bytes;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type, pad;
    const void *message;
} attributes;

_Static_assert(sizeof(attributes) == 48 && offsetof(attributes, message) == 40, "as NVTX 3 has it");

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };
enum { COLOR_ARGB = 1 };
enum { PAYLOAD_U64 = 1, PAYLOAD_I64, PAYLOAD_DOUBLE, PAYLOAD_U32, PAYLOAD_I32, PAYLOAD_FLOAT };

/* ---- names ----------------------------------------------------------------------------------- */

enum { NAME_PLACES = 1 << 16, NAME_MOST = 1 << 12, NAMES_BYTES = 16 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock. Programs keep what records point to, so names stay as long as the process. */
static const char *names[NAME_PLACES];
static size_t name_bytes;

static uint64_t hash_of(const char *text, size_t bytes) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Under the lock. NULL if there is no room. */
static const char *new_name(const char *text, size_t bytes) {
    char *made = name_bytes + bytes < NAMES_BYTES ? malloc(bytes + 1) : NULL;
    if (made == NULL)
        return NULL;
    memcpy(made, text, bytes);
    made[bytes] = '\0';
    name_bytes += bytes + 1;
    return made;
}

static const char *kept(const char *text) {
    enum { TRIES = 16 };
    if (text == NULL)
        return "";
    size_t bytes = strnlen(text, NAME_MOST);
    uint64_t at = hash_of(text, bytes);
    const char *name = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; name == NULL && i < TRIES; i++) {
        const char **place = &names[(at + (uint64_t)i) % NAME_PLACES];
        if (*place == NULL)
            *place = new_name(text, bytes);
        if (*place == NULL)
            break;
        if (strncmp(*place, text, bytes) == 0 && (*place)[bytes] == '\0')
            name = *place;
    }
    pthread_mutex_unlock(&lock);
    return name != NULL ? name : "unknown";
}

/* In UTF-8. */
static size_t put_character(char to[4], uint32_t character) {
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    size_t more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    for (size_t at = more; at > 0; at--, character >>= 6)
        to[at] = (char)(0x80 | (character & 0x3f));
    to[0] = (char)(first[more] | character);
    return more + 1;
}

static const char *kept_wide(const wchar_t *text) {
    char narrow[NAME_MOST];
    size_t at = 0;
    for (; text != NULL && *text != L'\0' && (uint32_t)*text < 0x110000 &&
           at < sizeof narrow - 4;
         text++)
        at += put_character(narrow + at, (uint32_t)*text);
    narrow[at] = '\0';
    return kept(narrow);
}

static bool is_recorded(void) { return buffers_wanted() && activity_is_on(KIND_MARKER); }

/* Names that no record has are not kept. */
static const char *name_of(const attributes *of) {
    if (!is_recorded() || of == NULL)
        return "";
    switch (of->message_type) {
    case MESSAGE_ASCII: return kept(of->message);
    case MESSAGE_WIDE: return kept_wide(of->message);
    case MESSAGE_REGISTERED: return of->message != NULL ? of->message : ""; /* as it was kept */
    default: return "";
    }
}

static const char *told(const char *text) { return is_recorded() ? kept(text) : ""; }
static const char *told_wide(const wchar_t *text) { return is_recorded() ? kept_wide(text) : ""; }

/* ---- records --------------------------------------------------------------------------------- */

/* CUpti_ActivityFlag of markers */
enum { INSTANTANEOUS = 1, START = 2, STOP = 4 };

static _Atomic uint32_t numbers;

static uint32_t new_number(void) {
    return is_recorded() ? atomic_fetch_add(&numbers, 1) + 1 : 0;
}

/* Of a number that is not 0: the range was recorded as it began. */
static void put(uint32_t flags, uint32_t number, const char *name, const char *domain) {
    if (number == 0 || !activity_is_on(KIND_MARKER))
        return;
    marker_record record = {
        .kind = KIND_MARKER,
        .flags = flags,
        .time = clock_now(),
        .number = number,
        .object = OBJECT_THREAD,
        .process = (uint32_t)getpid(),
        .thread = thread_number(),
        .name = name,
        .domain = domain,
    };
    buffers_put(&record, sizeof record);
}

/* CUpti_MetricValueKind */
static uint32_t payload_kind(int32_t type) {
    enum { A_DOUBLE = 0, UNSIGNED = 1, SIGNED = 4 };
    return type == PAYLOAD_U64 || type == PAYLOAD_U32   ? (uint32_t)UNSIGNED
           : type == PAYLOAD_I64 || type == PAYLOAD_I32 ? (uint32_t)SIGNED
                                                        : (uint32_t)A_DOUBLE;
}

static uint64_t payload_of(const attributes *of) {
    uint64_t bits = of->payload;
    float single;
    if (of->payload_type == PAYLOAD_U32)
        return (uint32_t)bits;
    if (of->payload_type == PAYLOAD_I32)
        return (uint64_t)(int64_t)(int32_t)bits;
    if (of->payload_type == PAYLOAD_FLOAT) {
        memcpy(&single, &bits, sizeof single);
        double wide = single;
        memcpy(&bits, &wide, sizeof bits);
    }
    return bits;
}

static void put_data(uint32_t number, const attributes *of) {
    enum { NO_COLOR = 1, ARGB = 2 };
    if (number == 0 || of == NULL || !activity_is_on(KIND_MARKER_DATA))
        return;
    marker_data_record record = {
        .kind = KIND_MARKER_DATA,
        .flags = of->color_type == COLOR_ARGB ? ARGB : NO_COLOR,
        .number = number,
        .payload_kind = payload_kind(of->payload_type),
        .payload = payload_of(of),
        .color = of->color_type == COLOR_ARGB ? of->color : 0,
        .category = of->category,
    };
    buffers_put(&record, sizeof record);
}

static uint32_t begin(uint32_t flags, const char *domain, const char *name, const attributes *of) {
    uint32_t number = new_number();
    put(flags, number, name, domain);
    put_data(number, of);
    return number;
}

/* ---- the functions that stand in the tables -------------------------------------------------- */

/* A domain is the address of its name; NULL is the one that has none. */
#define OF_ALL NULL

static void domain_mark(const char *domain, const attributes *of) {
    begin(INSTANTANEOUS, domain, name_of(of), of);
}

static uint64_t domain_start(const char *domain, const attributes *of) {
    return begin(START, domain, name_of(of), of);
}

static void domain_end(const char *domain, uint64_t range) {
    put(STOP, (uint32_t)range, NULL, domain);
}

/* The ranges of a thread that are open: of all domains, each of which has a depth of its own. */
enum { DEPTH = 512 };

typedef struct open_ranges {
    uint32_t count, more;       /* more: there is no room for them */
    struct {
        const char *domain;
        uint32_t number;
    } all[DEPTH];
} open_ranges;

static int depth_of(const open_ranges *mine, const char *domain) {
    int depth = 0;
    for (uint32_t i = 0; i < mine->count; i++)
        depth += mine->all[i].domain == domain;
    return depth;
}

static open_ranges *my_ranges(void) {
    static ob_own_memory own = {.bytes = sizeof(open_ranges)};
    return ob_own(&own);
}

/* NVTX has them return the depth of the range, from 0 on; negative where there is none. */
static int push(const char *domain, const char *name, const attributes *of) {
    open_ranges *mine = my_ranges();
    if (mine == NULL)
        return -1;
    if (mine->count == DEPTH)
        return DEPTH + (int)mine->more++;
    int depth = depth_of(mine, domain);
    mine->all[mine->count].domain = domain;
    mine->all[mine->count++].number = begin(START, domain, name, of);
    return depth;
}

static int domain_push(const char *domain, const attributes *of) {
    return push(domain, name_of(of), of);
}

static int domain_pop(const char *domain) {
    open_ranges *mine = my_ranges();
    if (mine == NULL)
        return -1;
    if (mine->more > 0)
        return DEPTH + (int)--mine->more;
    uint32_t at = mine->count;
    while (at > 0 && mine->all[at - 1].domain != domain)
        at--;
    if (at == 0)
        return -1;
    put(STOP, mine->all[at - 1].number, NULL, domain);
    memmove(&mine->all[at - 1], &mine->all[at], (mine->count - at) * sizeof mine->all[0]);
    mine->count--;
    return depth_of(mine, domain);
}

static void mark(const attributes *of) { domain_mark(OF_ALL, of); }
static void mark_a(const char *name) { begin(INSTANTANEOUS, OF_ALL, told(name), NULL); }
static void mark_w(const wchar_t *name) { begin(INSTANTANEOUS, OF_ALL, told_wide(name), NULL); }
static uint64_t start(const attributes *of) { return domain_start(OF_ALL, of); }
static uint64_t start_a(const char *name) { return begin(START, OF_ALL, told(name), NULL); }
static uint64_t start_w(const wchar_t *name) { return begin(START, OF_ALL, told_wide(name), NULL); }
static void end(uint64_t range) { domain_end(OF_ALL, range); }
static int push_of(const attributes *of) { return domain_push(OF_ALL, of); }
static int push_a(const char *name) { return push(OF_ALL, told(name), NULL); }
static int push_w(const wchar_t *name) { return push(OF_ALL, told_wide(name), NULL); }
static int pop(void) { return domain_pop(OF_ALL); }

static const char *register_a(const char *domain, const char *text) {
    (void)domain;
    return kept(text);
}

static const char *register_w(const char *domain, const wchar_t *text) {
    (void)domain;
    return kept_wide(text);
}

static void domain_destroy(const char *domain) { (void)domain; }

/* ---- the tables ------------------------------------------------------------------------------ */

typedef struct place {
    uint32_t number;
    any_function *function;
} place;

#define AT(number, function) {number, (any_function *)(function)}

static const place core[] = {
    AT(MARK_EX, mark),   AT(MARK_A, mark_a),   AT(MARK_W, mark_w),    AT(START_EX, start),
    AT(START_A, start_a), AT(START_W, start_w), AT(END, end),         AT(PUSH_EX, push_of),
    AT(PUSH_A, push_a),  AT(PUSH_W, push_w),   AT(POP, pop),
};

static const place core2[] = {
    AT(DOMAIN_MARK, domain_mark), AT(DOMAIN_START, domain_start),
    AT(DOMAIN_END, domain_end), AT(DOMAIN_PUSH, domain_push),
    AT(DOMAIN_POP, domain_pop), AT(REGISTER_A, register_a),
    AT(REGISTER_W, register_w), AT(DOMAIN_CREATE_A, kept),
    AT(DOMAIN_CREATE_W, kept_wide), AT(DOMAIN_DESTROY, domain_destroy),
};

static bool put_into(const callback_tables *tables, uint32_t module, const place *places,
                     size_t count) {
    any_function ***functions = NULL;
    uint32_t size = 0;
    if (tables->table(module, &functions, &size) == 0 || functions == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (places[i].number < size && functions[places[i].number] != NULL)
            *functions[places[i].number] = places[i].function;
    return true;
}

CUptiResult cuptiNvtxInitialize2(void *export) {
    const callback_tables *tables = NULL;
    if (export != NULL)
        tables = ((const void *(*)(uint32_t))(uintptr_t)export)(CALLBACKS);
    if (tables == NULL || tables->bytes < sizeof *tables || tables->table == NULL)
        return INVALID_PARAMETER;
    bool told = put_into(tables, CORE, core, sizeof core / sizeof core[0]);
    told = put_into(tables, CORE2, core2, sizeof core2 / sizeof core2[0]) || told;
    return told ? SUCCESS : NOT_SUPPORTED;
}
