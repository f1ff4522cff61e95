/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of libcuda.so.1 that need no backend, each against a simple model or published facts.
 */
#include "entry/entry.h"
#include "memory/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

/* No memory here has pages. */
bool pages_may_have(const void *memory, uint64_t bytes) { return memory == NULL && bytes == 0; }

static void fail(int line, const char *what) {
    fprintf(stderr, "parts.c:%d: %s\n", line, what);
    exit(1);
}

/* Functions of other folders that the parts need. */
CUcontext context_current(void) { return (CUcontext)0x400000001; }
CUcontext context_in_use(void) { return context_current(); }
bool ob_passes(void) { return true; } /* as over shared memory: nothing is offered */
void host_offer(const void *parameters, uint64_t bytes) { (void)parameters, (void)bytes; }
void ob_warn(const char *format, ...) { (void)format; }
int context_device(CUcontext context) { return context == context_current() ? 3 : -1; }

/* ---- integrity.c ----------------------------------------------------------------------------- */

/* Against an independent computation whose table came from the digits of pi, and which met RFC
 * 1319's vectors. */
static void hmac_is_rfc_2104_over_rfc_1319(void) {
    static const uint8_t expected[16] = {0xb5, 0x24, 0xbe, 0x01, 0x96, 0xe4, 0x91, 0xed,
                                         0x44, 0x82, 0x37, 0x46, 0xcd, 0x89, 0x23, 0xaf};
    uint8_t key[16], digest[16];
    memset(key, 0x0b, sizeof key);
    hmac_md2(key, (const uint8_t *)"Hi There", 8, digest);
    CHECK(memcmp(digest, expected, 16) == 0);
}

/* ---- length.c -------------------------------------------------------------------------------- */

static void a_container_says_its_length(void) {
    _Alignas(8) uint8_t container[64] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 40};
    struct {
        uint32_t magic, version;
        const void *data, *more;
    } wrapper = {0x466243b1, 1, container, NULL};
    const void *begin;
    CHECK(image_length(container, &begin) == 56 && begin == container);
    CHECK(image_length(&wrapper, &begin) == 56 && begin == container);
    wrapper.data = NULL;
    CHECK(image_length(&wrapper, &begin) == 0);
    wrapper.data = (const void *)8; /* nothing is there */
    CHECK(image_length(&wrapper, &begin) == 0);
    container[11] = 0x40; /* a gigabyte, of which not all is there */
    CHECK(image_length(container, &begin) == 0);
    container[15] = 0x7f; /* far too long */
    CHECK(image_length(container, &begin) == 0);
}

static void text_ends_with_nul(void) {
    const void *begin;
    CHECK(image_length(".version 8.0\n", &begin) == 14);
    CHECK(image_length("// comment", &begin) == 11);
    CHECK(image_length("\x01junk", &begin) == 0);
    CHECK(image_length("", &begin) == 0);
}

/* This very program: the linker ends a file with its section headers. */
static void an_elf_file_ends_with_its_last_part(void) {
    struct stat status;
    const void *begin;
    int file = open("/proc/self/exe", O_RDONLY);
    CHECK(file >= 0 && fstat(file, &status) == 0);
    void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(image != MAP_FAILED);
    CHECK(image_length(image, &begin) == (uint64_t)status.st_size);
    munmap(image, (size_t)status.st_size);
    close(file);
}

/* A damaged file's offsets are not followed out of the file. */
static void an_elf_file_may_be_damaged(void) {
    static const size_t fields[] = {offsetof(Elf64_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_phoff)};
    const void *begin;
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t offset = 1ULL << 30; offset != 0; offset <<= 3) {
            Elf64_Ehdr file = {
                .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64}, .e_shnum = 3, .e_phnum = 3};
            file.e_shentsize = sizeof(Elf64_Shdr);
            file.e_phentsize = sizeof(Elf64_Phdr);
            memcpy((uint8_t *)&file + fields[i], &offset, sizeof offset);
            CHECK(image_length(&file, &begin) == 0);
        }
    }
}

/* ---- visible.c ------------------------------------------------------------------------------- */

/* Four devices; their places on the bus run backwards. Returns the ordinals that are seen as
 * digits. */
static const char *seen(const char *list, const char *order) {
    static char digits[8];
    static gpu gpus[4];
    memset(gpus, 0, sizeof gpus);
    for (int i = 0; i < 4; i++) {
        gpus[i].ordinal = i;
        memset(gpus[i].facts.uuid, 0xa0 + i, 16);
        gpus[i].facts.attributes[ATTRIBUTE_PCI_BUS_ID] = 9 - i;
    }
    list != NULL ? setenv("CUDA_VISIBLE_DEVICES", list, 1) : unsetenv("CUDA_VISIBLE_DEVICES");
    order != NULL ? setenv("CUDA_DEVICE_ORDER", order, 1) : unsetenv("CUDA_DEVICE_ORDER");
    int count = visible_devices(gpus, 4);
    for (int i = 0; i < count; i++)
        digits[i] = (char)('0' + gpus[i].ordinal);
    digits[count] = '\0';
    return digits;
}

static void the_environment_selects_devices(void) {
    static const struct { const char *list, *order, *expected; } cases[] = {
        {NULL, NULL, "0123"},
        {"", NULL, ""},
        {"2,0", NULL, "20"},
        {" 1 , 3 ", NULL, "13"},
        {"1,-1,2", NULL, "1"},
        {"1,7,2", NULL, "1"},
        {"1,x", NULL, "1"},
        {"1x,2ampere", NULL, "12"},
        {"1,1,2", NULL, ""},
        {"0,1,0", NULL, ""},
        {"2,+0", NULL, "20"},
        {"0-1", NULL, "0"},
        {"one,2", NULL, ""},
        {"GPU-a2", NULL, "2"},
        {"gpu-A3a3a3a3-a3a3-a3a3-a3a3-a3a3a3a3a3a3,0", NULL, "30"},
        {"GPU-a", NULL, ""},
        {"GPU-", NULL, ""},
        {NULL, "PCI_BUS_ID", "3210"},
        {"0", "PCI_BUS_ID", "3"},
        {"0", "FASTEST_FIRST", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *digits = seen(cases[i].list, cases[i].order);
        if (strcmp(digits, cases[i].expected) != 0) {
            fprintf(stderr, "'%s' gave '%s', not '%s'\n",
                    cases[i].list != NULL ? cases[i].list : "(unset)", digits, cases[i].expected);
            fail(__LINE__, "visible devices");
        }
    }
}

/* ---- ranges.c -------------------------------------------------------------------------------- */

enum { SPACE = 512, STEPS = 20000 };

/* The model: which range each address belongs to, 0 for none. */
static uint64_t owner[SPACE];

static void forget_owner(uint64_t serial) {
    for (int i = 0; i < SPACE; i++)
        if (owner[i] == serial)
            owner[i] = 0;
}

static void add_to_both(uint64_t base, uint64_t bytes) {
    range found;
    for (uint64_t i = base; i < base + bytes; i++)
        if (owner[i] != 0)
            forget_owner(owner[i]);
    CHECK(range_add(&device_ranges, (range){.base = base, .bytes = bytes}));
    CHECK(range_find(&device_ranges, base, &found) && found.base == base && found.bytes == bytes);
    for (uint64_t i = base; i < base + bytes; i++)
        owner[i] = found.serial;
}

static void take_from_both(uint64_t base) {
    range taken;
    bool is_base = owner[base] != 0 && (base == 0 || owner[base - 1] != owner[base]);
    CHECK(range_take(&device_ranges, base, &taken) == is_base);
    if (is_base) {
        CHECK(taken.serial == owner[base]);
        forget_owner(taken.serial);
    }
}

static void ranges_agree_with_the_model(void) {
    for (uint64_t i = 0; i < SPACE; i++) {
        range found = {.serial = 0};
        CHECK(range_find(&device_ranges, i, &found) == (owner[i] != 0));
        CHECK(found.serial == owner[i]);
        CHECK(range_overlaps(&device_ranges, i, 1) == (owner[i] != 0));
    }
}

static void ranges_are_found_by_any_address(void) {
    srandom(20260);
    for (int step = 0; step < STEPS; step++) {
        uint64_t base = (uint64_t)random() % SPACE, bytes = 1 + (uint64_t)random() % 16;
        if (random() % 2 != 0 && base + bytes <= SPACE)
            add_to_both(base, bytes);
        else
            take_from_both(base);
        if (step % 64 == 0)
            ranges_agree_with_the_model();
    }
    range_forget_context(&device_ranges, context_current());
    memset(owner, 0, sizeof owner);
    ranges_agree_with_the_model();
}

/* Two hosts that hand out one address would overwrite each other's memory. */
static void ranges_of_two_devices_do_not_overlap(void) {
    CUcontext here = (CUcontext)1, there = (CUcontext)2;
    range found, own = {.base = 4096, .bytes = 4096, .context = here, .ordinal = 0};
    CHECK(range_add(&device_ranges, own) && range_add(&device_ranges, own));
    for (uint64_t base = 0; base <= 12288; base += 1024) {
        bool overlaps = base + 1024 > 4096 && base < 8192;
        range other = {.base = base, .bytes = 1024, .context = there, .ordinal = 1};
        CHECK(range_add(&device_ranges, other) != overlaps);
        CHECK(range_find(&device_ranges, base, &found) && found.ordinal == (overlaps ? 0 : 1));
    }
    range_forget_context(&device_ranges, here);
    CHECK(range_add(&device_ranges,
                    (range){.base = 4096, .bytes = 4096, .context = there, .ordinal = 1}));
    range_forget_context(&device_ranges, there);
}

static void memory_of_graphs_is_overlapped_by_other_devices(void) {
    CUcontext here = (CUcontext)1, there = (CUcontext)2;
    CHECK(range_add(&device_ranges,
                    (range){.base = 4096, .bytes = 4096, .context = here, .of_graph = true}));
    CHECK(range_add(&device_ranges,
                    (range){.base = 4096, .bytes = 4096, .context = there, .ordinal = 1}));
    range_forget_context(&device_ranges, here);
    range_forget_context(&device_ranges, there);
}

/* ---- storage.c ------------------------------------------------------------------------------- */

static int destroyed;

static void count_destroyed(CUcontext context, void *key, void *value) {
    CHECK(context == (CUcontext)1 && key == &destroyed && value == &owner);
    destroyed++;
}

static void storage_belongs_to_context_and_key(void) {
    void *value = NULL;
    CHECK(storage_get(&value, (CUcontext)1, &destroyed) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(storage_put((CUcontext)1, &destroyed, &owner, count_destroyed) == 0);
    CHECK(storage_put((CUcontext)2, &destroyed, &value, NULL) == 0);
    CHECK(storage_get(&value, (CUcontext)1, &destroyed) == 0 && value == &owner);
    CHECK(storage_get(&value, (CUcontext)2, &destroyed) == 0 && value == &value);
    CHECK(storage_get(&value, (CUcontext)1, &value) == CUDA_ERROR_INVALID_HANDLE);
    storage_end((CUcontext)1);
    CHECK(destroyed == 1);
    CHECK(storage_get(&value, (CUcontext)1, &destroyed) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(storage_delete((CUcontext)2, &destroyed) == 0);
    CHECK(storage_get(&value, (CUcontext)2, &destroyed) == CUDA_ERROR_INVALID_HANDLE);
    storage_end((CUcontext)2);
    CHECK(destroyed == 1);
}

enum { ROUNDS = 100000 };

static void *change_storage(void *key) {
    for (int i = 0; i < ROUNDS / 10; i++) {
        CHECK(storage_put((CUcontext)3, key, key, NULL) == 0);
        CHECK(storage_delete((CUcontext)3, key) == 0);
    }
    return NULL;
}

static void *read_storage(void *key) {
    for (int i = 0; i < ROUNDS; i++) {
        void *value = NULL;
        CHECK(storage_get(&value, (CUcontext)3, key) == 0 && value == key);
    }
    return NULL;
}

static void storage_is_read_while_it_changes(void) {
    static char steady, changing;
    pthread_t reader, writer;
    CHECK(storage_put((CUcontext)3, &steady, &steady, NULL) == 0);
    CHECK(pthread_create(&writer, NULL, change_storage, &changing) == 0);
    CHECK(pthread_create(&reader, NULL, read_storage, &steady) == 0);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
}

/* ---- facts.c --------------------------------------------------------------------------------- */

static known_table squares;

static void *keep_squares(void *unused) {
    for (uint64_t i = 1; i < 10000; i++) {
        uint64_t square = i * i;
        const uint64_t *kept = known_keep(&squares, i, &square, sizeof square);
        CHECK(kept != NULL && *kept == square && known_find(&squares, i) == kept);
    }
    return unused;
}

static void a_fact_is_kept_once(void) {
    pthread_t other;
    CHECK(known_find(&squares, 7) == NULL);
    CHECK(pthread_create(&other, NULL, keep_squares, NULL) == 0);
    keep_squares(NULL);
    pthread_join(other, NULL);
}

/* ---- remembered.c ---------------------------------------------------------------------------- */

static int64_t recalled(topic about, question asked) {
    uint32_t ticket;
    int64_t value = -1;
    return remembered(&about, &asked, &value, &ticket) ? value : -1;
}

/* Unasked answers may be older than known ones. */
static void answers_that_come_unasked_come_first_or_not_at_all(void) {
    const question asked[] = {{1, {0}}, {1, {8}}};
    const int64_t values[] = {1024, 48}, others[] = {7, 7};
    const topic fresh = {100, 0}, changed = {101, 0}, of_kernel = {1 << 20 | 102, 102};
    remember_first(&fresh, asked, values, 2);
    CHECK(recalled(fresh, asked[0]) == 1024 && recalled(fresh, asked[1]) == 48);
    remember_first(&fresh, asked, others, 2);
    CHECK(recalled(fresh, asked[0]) == 1024);
    remember_change(&changed, NULL, 0);
    remember_first(&changed, asked, values, 2);
    CHECK(recalled(changed, asked[0]) == -1);
    CHECK(recalled(of_kernel, asked[0]) == -1); /* a question */
    remember_first(&of_kernel, asked, values, 2);
    CHECK(recalled(of_kernel, asked[0]) == -1);
}

/* ---- changes.c ------------------------------------------------------------------------------- */

enum { WORDS = 40, VARIABLE = 293, PHASE = 5 };

/* A variable that lies somewhere in its words, as two sides have it. */
typedef struct two_sides {
    uint64_t here[WORDS], agreed[WORDS], there[WORDS];
    word_pair words;
} two_sides;

static uint8_t *byte_of(uint64_t *words, int byte) { return (uint8_t *)words + PHASE + byte; }

static void lay_out(two_sides *s) {
    memset(s, 0, sizeof *s);
    uint64_t count = (PHASE + VARIABLE + 7) / 8;
    s->words = (word_pair){s->here, s->agreed, count, (uint8_t)(0xff << PHASE),
                           (uint8_t)(0xff >> (count * 8 - PHASE - VARIABLE))};
}

static void fetch_all(two_sides *s) { changes_merge(&s->words, 0, s->words.count, s->there); }

static void send_all(two_sides *s) {
    uint64_t data[WORDS];
    uint8_t mask[WORDS];
    word_span span = changes_find(&s->words, 0, s->words.count, data, mask);
    for (uint64_t i = span.first; i < span.first + span.count; i++)
        for (int k = 0; k < 8; k++)
            if ((mask[i] >> k & 1) != 0)
                ((uint8_t *)s->there)[i * 8 + (uint64_t)k] = (uint8_t)(data[i] >> (8 * k));
    changes_agree(&s->words, span.first, span.count, data + span.first, mask + span.first);
}

static void only_what_was_changed_is_found(void) {
    two_sides s;
    uint64_t data[WORDS];
    uint8_t mask[WORDS];
    lay_out(&s);
    ((uint8_t *)s.here)[PHASE - 1] = 1; /* a neighbour's */
    *byte_of(s.here, VARIABLE) = 1;
    CHECK(changes_find(&s.words, 0, s.words.count, data, mask).count == 0);
    *byte_of(s.here, 0) = 7;
    *byte_of(s.here, 20) = 8;
    word_span span = changes_find(&s.words, 0, s.words.count, data, mask);
    CHECK(span.first == 0 && span.count == 4 && mask[0] == 1 << PHASE && mask[1] == 0 &&
          mask[3] == 2 && data[3] == 8u << 8);
    span = changes_find(&s.words, 1, 5, data, mask);
    CHECK(span.first == 2 && span.count == 1);
    changes_agree(&s.words, 3, 1, data + 2, mask + 2);
    CHECK(changes_find(&s.words, 1, 5, data, mask).count == 0);
}

/* Either side writes, any byte; a change reaches the other side, and no byte is lost. */
static void changes_of_both_sides_meet(void) {
    two_sides s;
    uint8_t model[VARIABLE] = {0};
    unsigned int seed = 1;
    lay_out(&s);
    for (int round = 0; round < 2000; round++) {
        uint8_t by[VARIABLE] = {0};
        for (int i = 0; i < 10; i++) {
            int byte = rand_r(&seed) % VARIABLE, side = 1 + rand_r(&seed) % 2;
            if (by[byte] != 0 && by[byte] != side)
                continue;
            by[byte] = (uint8_t)side;
            model[byte] = (uint8_t)rand_r(&seed);
            *byte_of(side == 1 ? s.here : s.there, byte) = model[byte];
        }
        if (round % 2 == 0)
            send_all(&s);
        fetch_all(&s);
        send_all(&s);
        CHECK(memcmp(byte_of(s.here, 0), model, VARIABLE) == 0 &&
              memcmp(byte_of(s.there, 0), model, VARIABLE) == 0);
    }
}

static void what_the_program_has_changed_stays(void) {
    two_sides s;
    lay_out(&s);
    *byte_of(s.here, 3) = 10;
    memset(s.there, 20, sizeof s.there);
    fetch_all(&s);
    CHECK(*byte_of(s.here, 3) == 10 && *byte_of(s.here, 2) == 20 && *byte_of(s.here, 4) == 20 &&
          *byte_of(s.here, VARIABLE - 1) == 20);
    CHECK(*byte_of(s.here, VARIABLE) == 0 && ((uint8_t *)s.here)[PHASE - 1] == 0);
    send_all(&s);
    CHECK(*byte_of(s.there, 3) == 10 && *byte_of(s.there, 2) == 20);
}

int main(void) {
    hmac_is_rfc_2104_over_rfc_1319();
    a_container_says_its_length();
    text_ends_with_nul();
    an_elf_file_ends_with_its_last_part();
    an_elf_file_may_be_damaged();
    the_environment_selects_devices();
    ranges_are_found_by_any_address();
    ranges_of_two_devices_do_not_overlap();
    memory_of_graphs_is_overlapped_by_other_devices();
    storage_belongs_to_context_and_key();
    storage_is_read_while_it_changes();
    a_fact_is_kept_once();
    answers_that_come_unasked_come_first_or_not_at_all();
    only_what_was_changed_is_found();
    changes_of_both_sides_meet();
    what_the_program_has_changed_stays();
    return 0;
}
