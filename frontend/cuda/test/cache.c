/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC's compile cache through its table, as NVRTC calls it: alone, with files that somebody
 * damaged, and with other processes and threads.
 */
#include "../../test/check.h"
#include "cache/cache.h"
#include "facts/facts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PTX = 2, BINARY = 1, STRANGER = 12345, LARGEST = 20000 };

/* Functions of other folders that the cache needs. */
const ob_library ob_cuda;
static int refusals;

int32_t ob_refuse(const ob_library *library, const char *name, bool *said) {
    CHECK(library == &ob_cuda && strstr(name, "compile cache") != NULL && said != NULL);
    refusals++;
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- the table, as NVRTC calls it ------------------------------------------------------------ */

typedef CUresult open_slot(uint64_t *handle, uint32_t kind, const void *code, uint64_t bytes,
                           const char *options, const char *host, const char *build,
                           uint32_t architecture);
typedef CUresult close_slot(uint64_t handle);
typedef CUresult ask_slot(uint64_t handle, uint32_t index, void **data, uint32_t *bytes);
typedef CUresult keep_slot(uint64_t handle, uint32_t index, const void *data, uint64_t bytes);
typedef CUresult unknown_slot(void);
typedef CUresult release_slot(void *data);

static open_slot *slot_open;
static close_slot *slot_close;
static ask_slot *slot_ask;
static keep_slot *slot_keep;
static unknown_slot *slot_unknown;
static release_slot *slot_release;

static void take(void *slot, int number) {
    memcpy(slot, &compile_cache_table[number], sizeof(void *));
}

static void take_slots(void) {
    CHECK((uintptr_t)compile_cache_table[0] == sizeof(void *) * COMPILE_CACHE_SLOTS);
    take(&slot_open, 1);
    take(&slot_close, 2);
    take(&slot_ask, 3);
    take(&slot_keep, 4);
    take(&slot_unknown, 5);
    take(&slot_release, 6);
}

/* A compilation, and what it comes to. */
typedef struct work {
    uint32_t kind;
    const char *code, *options, *build;
    uint32_t architecture;
} work;

static const work usual = {PTX, "code of a kernel", " -arch=compute_90", "Aug 20 2025", 90};

static uint64_t opened(const work *w) {
    uint64_t handle = 0;
    CHECK(slot_open(&handle, w->kind, w->code, strlen(w->code), w->options, "HOST64", w->build,
                    w->architecture) == CUDA_SUCCESS);
    CHECK(handle != 0);
    return handle;
}

static void keep(const work *w, const void *data, size_t bytes) {
    uint64_t handle = opened(w);
    CHECK(slot_keep(handle, 0, data, bytes) == CUDA_SUCCESS);
    CHECK(slot_close(handle) == CUDA_SUCCESS);
}

/* Whether it is there; then it must be these bytes. */
static bool hits(const work *w, const void *expected, size_t bytes) {
    uint64_t handle = opened(w);
    void *data = NULL;
    uint32_t length = 0;
    CUresult result = slot_ask(handle, 0, &data, &length);
    CHECK(slot_close(handle) == CUDA_SUCCESS);
    if (result == CUDA_ERROR_NOT_FOUND) {
        CHECK(data == NULL && length == 0);
        return false;
    }
    CHECK(result == CUDA_SUCCESS && length == bytes && memcmp(data, expected, bytes) == 0);
    CHECK(slot_release(data) == CUDA_SUCCESS);
    return true;
}

static bool hits_text(const work *w, const char *text) { return hits(w, text, strlen(text)); }
static void keep_text(const work *w, const char *text) { keep(w, text, strlen(text)); }

static CUresult open_result(const work *w) {
    uint64_t handle = 0;
    CUresult result = slot_open(&handle, w->kind, w->code, strlen(w->code), w->options, "HOST64",
                                w->build, w->architecture);
    if (result == CUDA_SUCCESS)
        CHECK(slot_close(handle) == CUDA_SUCCESS);
    return result;
}

/* ---- the folder ------------------------------------------------------------------------------ */

static char place[256];

static void fresh_cache(void) {
    take_slots();
    snprintf(place, sizeof place, "%s/cache/outboard", fresh_folder());
    char path[256];
    snprintf(path, sizeof path, "%s", place);
    *strrchr(path, '/') = '\0';
    setenv("CUDA_CACHE_PATH", path, 1);
    unsetenv("CUDA_CACHE_MAXSIZE");
    unsetenv("CUDA_CACHE_DISABLE");
}

typedef struct contents {
    int files, newcomers;
    uint64_t on_disk;
    char last[512];
} contents;

static contents look(void) {
    contents found = {0};
    DIR *folder = opendir(place);
    CHECK(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(found.last, sizeof found.last, "%s/%s", place, entry->d_name);
        CHECK(lstat(found.last, &status) == 0);
        found.files++;
        found.newcomers += strncmp(entry->d_name, "new-", 4) == 0;
        found.on_disk += ((uint64_t)status.st_size + 4095) / 4096 * 4096;
    }
    closedir(folder);
    return found;
}

/* The only file, after its removal; another one can then be put there. */
static const char *only_file(uint8_t *content, size_t *bytes) {
    static contents found;
    found = look();
    CHECK(found.files == 1);
    FILE *file = fopen(found.last, "r");
    *bytes = fread(content, 1, LARGEST, file);
    CHECK(*bytes > 0 && feof(file));
    fclose(file);
    return found.last;
}

static void put(const char *path, const uint8_t *content, size_t bytes) {
    unlink(path);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fwrite(content, 1, bytes, file) == bytes && fclose(file) == 0);
    CHECK(chmod(path, 0600) == 0);
}

static void is_missed_and_removed(const char *path) {
    CHECK(!hits_text(&usual, "result"));
    CHECK(access(path, F_OK) != 0 && look().files == 0);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void a_result_is_kept(void) {
    fresh_cache();
    CHECK(!hits_text(&usual, "result"));
    keep_text(&usual, "result");
    CHECK(hits_text(&usual, "result") && hits_text(&usual, "result"));
    keep_text(&usual, "another result");
    CHECK(hits_text(&usual, "another result") && look().files == 1);
}

static void another_process_finds_it(void) {
    fresh_cache();
    pid_t child = fork();
    if (child == 0) {
        keep_text(&usual, "result");
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(hits_text(&usual, "result"));
}

static void each_part_of_the_key_counts(void) {
    static const work others[] = {
        {BINARY, "code of a kernel", " -arch=compute_90", "Aug 20 2025", 90},
        {PTX, "code of a kerneL", " -arch=compute_90", "Aug 20 2025", 90},
        {PTX, "code of a kernel ", " -arch=compute_90", "Aug 20 2025", 90},
        {PTX, "code of a kernel", " -arch=compute_80", "Aug 20 2025", 90},
        {PTX, "code of a kernel", " -arch=compute_90", "Aug 21 2025", 90},
        {PTX, "code of a kernel", " -arch=compute_90", "Aug 20 2025", 80},
    };
    fresh_cache();
    keep_text(&usual, "result");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!hits_text(&others[i], "result"));
    CHECK(hits_text(&usual, "result"));
}

/* Two names of a file may be equal one day; the key in the file decides. */
static void another_keys_file_is_a_miss(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    work other = usual;
    other.options = " -arch=compute_80";
    fresh_cache();
    keep_text(&usual, "result");
    char path[512];
    snprintf(path, sizeof path, "%s", only_file(content, &bytes));
    unlink(path);
    keep_text(&other, "result");
    size_t others_bytes;
    unlink(only_file(content, &others_bytes));
    put(path, content, others_bytes);
    is_missed_and_removed(path);
}

static void a_damaged_file_is_a_miss(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    const char *path = only_file(content, &bytes);
    for (size_t i = 0; i < bytes; i++) {
        content[i] ^= 0x10;
        put(path, content, bytes);
        is_missed_and_removed(path);
        content[i] ^= 0x10;
    }
    put(path, content, bytes);
    CHECK(hits_text(&usual, "result"));
}

static void a_file_of_another_length_is_a_miss(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    const char *path = only_file(content, &bytes);
    for (size_t length = 0; length < bytes; length++) {
        put(path, content, length);
        is_missed_and_removed(path);
    }
    content[bytes] = 0;
    put(path, content, bytes + 1);
    is_missed_and_removed(path);
}

/* All else is right, the digest too. */
static void a_wrong_length_inside_is_a_miss(void) {
    enum { DIGEST = 8, DATA_BYTES = 40 };
    static const uint64_t lengths[] = {0, 5, 7, 1 << 30, UINT64_MAX, UINT64_MAX - 71};
    uint8_t content[LARGEST];
    size_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    const char *path = only_file(content, &bytes);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memcpy(content + DATA_BYTES, &lengths[i], sizeof lengths[i]);
        ob_sha256(content + DATA_BYTES, bytes - DATA_BYTES, content + DIGEST);
        put(path, content, bytes);
        is_missed_and_removed(path);
    }
}

/* As a process finds it that reads while another one writes. */
static void a_newer_result_leaves_the_older_ones_readers_alone(void) {
    uint8_t content[LARGEST], again[LARGEST];
    size_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    int reader = open(only_file(content, &bytes), O_RDONLY | O_CLOEXEC);
    keep_text(&usual, "another result");
    CHECK(read(reader, again, sizeof again) == (ssize_t)bytes);
    CHECK(memcmp(content, again, bytes) == 0);
    close(reader);
}

static void what_is_no_file_is_a_miss(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    const char *path = only_file(content, &bytes);
    put("elsewhere", content, bytes);
    CHECK(unlink(path) == 0 && symlink("../../elsewhere", path) == 0);
    is_missed_and_removed(path);
    CHECK(access("elsewhere", F_OK) == 0);
    CHECK(mkfifo(path, 0600) == 0);
    is_missed_and_removed(path);
    put(path, content, bytes);
    CHECK(chmod(path, 0620) == 0);
    is_missed_and_removed(path);
}

static void files_are_their_users_alone(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    struct stat status;
    fresh_cache();
    umask(0);
    keep_text(&usual, "result");
    CHECK(stat(only_file(content, &bytes), &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(stat(place, &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat("cache", &status) == 0 && (status.st_mode & 0777) == 0700);
}

static void another_owners_file_is_a_miss(void) {
    uint8_t content[LARGEST];
    size_t bytes;
    skip_if(geteuid() != 0);
    fresh_cache();
    keep_text(&usual, "result");
    const char *path = only_file(content, &bytes);
    CHECK(chown(path, STRANGER, STRANGER) == 0);
    is_missed_and_removed(path);
}

static void is_refused(const char *why) {
    CHECK(open_result(&usual) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(strstr(diverted(), why) != NULL && strstr(diverted(), "CUDA_CACHE_PATH") != NULL);
}

static void another_owners_folder_is_refused(void) {
    skip_if(geteuid() != 0);
    fresh_cache();
    keep_text(&usual, "result");
    CHECK(chown(place, STRANGER, STRANGER) == 0);
    divert(STDERR_FILENO);
    is_refused("is another user's");
}

static void another_owners_usual_folder_is_refused(void) {
    skip_if(geteuid() != 0);
    fresh_cache();
    unsetenv("CUDA_CACHE_PATH");
    CHECK(mkdir(".nv", 0777) == 0 && chown(".nv", STRANGER, STRANGER) == 0);
    divert(STDERR_FILENO);
    is_refused("is another user's");
}

static void a_folder_that_others_can_write_is_refused(void) {
    fresh_cache();
    keep_text(&usual, "result");
    CHECK(chmod(place, 0770) == 0);
    divert(STDERR_FILENO);
    is_refused("can be written by other users");
}

static void a_link_to_a_folder_is_refused(void) {
    fresh_cache();
    CHECK(mkdir("cache", 0700) == 0 && mkdir("elsewhere", 0700) == 0);
    CHECK(symlink("../elsewhere", place) == 0);
    divert(STDERR_FILENO);
    is_refused("is a link, or no folder");
}

static void the_variables_decide(void) {
    fresh_cache();
    keep_text(&usual, "result");
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    CHECK(open_result(&usual) == CUDA_ERROR_NOT_INITIALIZED);
    setenv("CUDA_CACHE_DISABLE", "0", 1);
    CHECK(hits_text(&usual, "result"));
    setenv("CUDA_CACHE_PATH", "cache", 1);
    CHECK(open_result(&usual) == CUDA_ERROR_NOT_INITIALIZED);
    unsetenv("CUDA_CACHE_PATH");
    CHECK(!hits_text(&usual, "result"));
    keep_text(&usual, "result of home");
    CHECK(access(".nv/ComputeCache/outboard", F_OK) == 0 && hits_text(&usual, "result of home"));
    unsetenv("HOME");
    CHECK(open_result(&usual) == CUDA_ERROR_NOT_INITIALIZED);
}

/* Disabled between the opening of an entry and its use: it has nothing, and keeps nothing. */
static void a_cache_that_ends_meanwhile_is_a_miss(void) {
    void *data;
    uint32_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    uint64_t handle = opened(&usual);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    CHECK(slot_ask(handle, 0, &data, &bytes) == CUDA_ERROR_NOT_FOUND);
    CHECK(slot_keep(handle, 0, "x", 1) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(slot_close(handle) == CUDA_SUCCESS);
}

static work numbered(int number) {
    static char codes[64][32];
    snprintf(codes[number], sizeof codes[number], "code %d", number);
    work one = usual;
    one.code = codes[number];
    return one;
}

/* The file of a result that is kept now. */
static void keep_as(int number, time_t used) {
    work one = numbered(number);
    CHECK(!hits_text(&one, "result"));
    keep_text(&one, "result");
    for (DIR *folder = opendir(place); folder != NULL;) {
        struct dirent *entry = readdir(folder);
        struct stat status;
        if (entry == NULL) {
            closedir(folder);
            break;
        }
        CHECK(fstatat(dirfd(folder), entry->d_name, &status, 0) == 0);
        struct timespec times[2] = {{.tv_sec = used}, {.tv_sec = used}};
        if (S_ISREG(status.st_mode) && status.st_mtime > 1000000)
            CHECK(utimensat(dirfd(folder), entry->d_name, times, 0) == 0);
    }
}

static void what_was_used_longest_ago_makes_room(void) {
    fresh_cache();
    setenv("CUDA_CACHE_MAXSIZE", "16384", 1);
    for (int i = 0; i < 4; i++)
        keep_as(i, 1000 + i);
    work first = numbered(0), second = numbered(1);
    CHECK(look().files == 4 && hits_text(&first, "result"));
    keep_as(4, 2000);
    CHECK(look().files == 4 && hits_text(&first, "result") && !hits_text(&second, "result"));
}

/* As a process leaves it that is killed while it writes. */
static void a_half_written_file_makes_room(void) {
    fresh_cache();
    setenv("CUDA_CACHE_MAXSIZE", "8192", 1);
    keep_as(0, 2000);
    char path[512];
    snprintf(path, sizeof path, "%s/new-0-0-0-0", place);
    put(path, (const uint8_t *)"half", 4);
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
    keep_as(1, 3000);
    work first = numbered(0);
    CHECK(look().files == 2 && look().newcomers == 0 && hits_text(&first, "result"));
}

static void what_is_larger_than_the_cache_is_not_kept(void) {
    static uint8_t large[LARGEST];
    fresh_cache();
    setenv("CUDA_CACHE_MAXSIZE", "16384", 1);
    keep_text(&usual, "result");
    work other = numbered(0);
    uint64_t handle = opened(&other);
    CHECK(slot_keep(handle, 0, large, sizeof large) == CUDA_ERROR_OPERATING_SYSTEM);
    CHECK(slot_close(handle) == CUDA_SUCCESS && look().files == 1 && hits_text(&usual, "result"));
    setenv("CUDA_CACHE_MAXSIZE", "0", 1);
    CHECK(open_result(&usual) == CUDA_ERROR_NOT_INITIALIZED);
    setenv("CUDA_CACHE_MAXSIZE", "many", 1);
    CHECK(hits_text(&usual, "result"));
}

static void wrong_arguments_are_errors(void) {
    uint64_t handle = 0, wrong = 77;
    void *data;
    uint32_t bytes;
    fresh_cache();
    CHECK(slot_open(NULL, PTX, "c", 1, "o", "h", "b", 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_open(&handle, PTX, NULL, 1, "o", "h", "b", 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_open(&handle, PTX, "c", 0, "o", "h", "b", 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_open(&handle, PTX, "c", 1, NULL, "h", "b", 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_open(&handle, PTX, "c", 1, "o", NULL, "b", 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_open(&handle, PTX, "c", 1, "o", "h", NULL, 90) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_close(0) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(slot_close(wrong) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(slot_ask(0, 0, &data, &bytes) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(slot_keep(wrong, 0, "x", 1) == CUDA_ERROR_INVALID_HANDLE);
    handle = opened(&usual);
    CHECK(slot_ask(handle, 1, &data, &bytes) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_ask(handle, 0, NULL, &bytes) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_ask(handle, 0, &data, NULL) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_keep(handle, 1, "x", 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_keep(handle, 0, NULL, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_keep(handle, 0, "x", 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_release(NULL) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_release(&wrong) == CUDA_ERROR_INVALID_VALUE);
    CHECK(slot_close(handle) == CUDA_SUCCESS && slot_close(handle) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(slot_unknown() == CUDA_ERROR_NOT_SUPPORTED && refusals == 1);
}

static void entries_and_results_have_a_bound(void) {
    uint64_t handles[COMPILE_CACHE_OPEN], one_more;
    void *results[COMPILE_CACHE_OPEN], *data;
    uint32_t bytes;
    fresh_cache();
    keep_text(&usual, "result");
    for (int i = 0; i < COMPILE_CACHE_OPEN; i++) {
        handles[i] = opened(&usual);
        CHECK(slot_ask(handles[i], 0, &results[i], &bytes) == CUDA_SUCCESS);
    }
    CHECK(slot_open(&one_more, PTX, "c", 1, "o", "h", "b", 90) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(slot_ask(handles[0], 0, &data, &bytes) == CUDA_ERROR_OUT_OF_MEMORY);
    for (int i = 0; i < COMPILE_CACHE_OPEN; i++) {
        CHECK(slot_close(handles[i]) == CUDA_SUCCESS);
        CHECK(memcmp(results[i], "result", bytes) == 0 && slot_release(results[i]) == CUDA_SUCCESS);
        CHECK(slot_release(results[i]) == CUDA_ERROR_INVALID_VALUE);
    }
    CHECK(hits_text(&usual, "result"));
}

/* ---- several at once ------------------------------------------------------------------------- */

enum { AT_ONCE = 8, KEYS = 12, TURNS = 150 };

/* A result says whose it is from its first to its last byte. */
static size_t fill(uint8_t *data, int key) {
    size_t bytes = 500 + 1000 * (size_t)key;
    memset(data, 'a' + key, bytes);
    return bytes;
}

static void work_on_keys(unsigned int seed) {
    uint8_t data[LARGEST];
    for (int i = 0; i < TURNS; i++) {
        int key = rand_r(&seed) % KEYS;
        char code[16];
        snprintf(code, sizeof code, "code %d", key);
        work one = usual;
        one.code = code;
        size_t bytes = fill(data, key);
        if (!hits(&one, data, bytes))
            keep(&one, data, bytes);
    }
}

static void *run_thread(void *seed) {
    work_on_keys((unsigned int)(uintptr_t)seed);
    return NULL;
}

static void processes_share_a_folder(void) {
    fresh_cache();
    for (unsigned int seed = 1; seed <= AT_ONCE; seed++)
        if (fork() == 0) {
            work_on_keys(seed);
            _exit(0);
        }
    for (int status; wait(&status) > 0;)
        CHECK(status == 0);
    CHECK(look().newcomers == 0 && look().files == KEYS);
}

/* Where they remove each other's files: a result that could not be kept is no wrong result. */
static void run_tightly(unsigned int seed) {
    uint8_t data[LARGEST];
    for (int i = 0; i < TURNS; i++) {
        int key = rand_r(&seed) % KEYS;
        work one = numbered(key);
        size_t bytes = fill(data, key);
        if (hits(&one, data, bytes))
            continue;
        uint64_t handle = opened(&one);
        CUresult result = slot_keep(handle, 0, data, bytes);
        CHECK(result == CUDA_SUCCESS || result == CUDA_ERROR_OPERATING_SYSTEM);
        CHECK(slot_close(handle) == CUDA_SUCCESS);
    }
}

static void processes_share_a_small_folder(void) {
    uint8_t data[LARGEST];
    fresh_cache();
    setenv("CUDA_CACHE_MAXSIZE", "40960", 1);
    for (unsigned int seed = 1; seed <= AT_ONCE; seed++)
        if (fork() == 0) {
            run_tightly(seed);
            _exit(0);
        }
    for (int status; wait(&status) > 0;)
        CHECK(status == 0);
    work last = numbered(KEYS);
    keep(&last, data, fill(data, 0));
    CHECK(look().newcomers == 0 && look().on_disk <= 40960);
}

static void threads_share_the_table(void) {
    pthread_t threads[AT_ONCE];
    fresh_cache();
    for (uintptr_t i = 0; i < AT_ONCE; i++)
        CHECK(pthread_create(&threads[i], NULL, run_thread, (void *)(i + 1)) == 0);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    CHECK(look().newcomers == 0 && look().files == KEYS);
}

static const test_case cases[] = {
    {"a result is kept", a_result_is_kept},
    {"another process finds it", another_process_finds_it},
    {"each part of the key counts", each_part_of_the_key_counts},
    {"another key's file is a miss", another_keys_file_is_a_miss},
    {"a damaged file is a miss", a_damaged_file_is_a_miss},
    {"a file of another length is a miss", a_file_of_another_length_is_a_miss},
    {"a wrong length inside is a miss", a_wrong_length_inside_is_a_miss},
    {"a newer result leaves the older one's readers alone",
     a_newer_result_leaves_the_older_ones_readers_alone},
    {"what is no file is a miss", what_is_no_file_is_a_miss},
    {"files are their user's alone", files_are_their_users_alone},
    {"another owner's file is a miss", another_owners_file_is_a_miss},
    {"another owner's folder is refused", another_owners_folder_is_refused},
    {"another owner's usual folder is refused", another_owners_usual_folder_is_refused},
    {"a folder that others can write is refused", a_folder_that_others_can_write_is_refused},
    {"a link to a folder is refused", a_link_to_a_folder_is_refused},
    {"the variables decide", the_variables_decide},
    {"a cache that ends meanwhile is a miss", a_cache_that_ends_meanwhile_is_a_miss},
    {"what was used longest ago makes room", what_was_used_longest_ago_makes_room},
    {"a half-written file makes room", a_half_written_file_makes_room},
    {"what is larger than the cache is not kept", what_is_larger_than_the_cache_is_not_kept},
    {"wrong arguments are errors", wrong_arguments_are_errors},
    {"entries and results have a bound", entries_and_results_have_a_bound},
    {"processes share a folder", processes_share_a_folder},
    {"processes share a small folder", processes_share_a_small_folder},
    {"threads share the table", threads_share_the_table},
    {0},
};

int main(int argc, char **argv) { return run_cases(cases, argc, argv); }
