/* SPDX-License-Identifier: Apache-2.0
 * Programs that are not linked with the driver but load it, or find it loaded, or fork; prints
 * "ok".
 * usage: loading CASE
 */
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        _exit(1);
    }
}
#define CHECK(condition) check(condition, #condition)

/* The driver's functions that are used here, of the type that cuda.h gives them. */
#define FUNCTIONS(X)                                                                               \
    X(cuInit)                                                                                      \
    X(cuDevicePrimaryCtxRetain) X(cuCtxSetCurrent) X(cuCtxSynchronize) X(cuMemAlloc_v2)            \
    X(cuMemcpyHtoD_v2) X(cuMemcpyDtoH_v2) X(cuMemHostAlloc) X(cuMemFreeHost)                       \
    X(cuDeviceGetCount)
#define DECLARE(name) static __typeof__(name) *p_##name;
#define FIND(name) *(void **)&p_##name = dlsym(from, #name);
FUNCTIONS(DECLARE)

enum { BYTES = 1 << 20, NOT_INITIALIZED = 3 };

static CUdeviceptr memory;
static unsigned char bytes[BYTES], back[BYTES];

static int find(void *from) {
    FUNCTIONS(FIND)
    return p_cuInit != NULL && p_cuDeviceGetCount != NULL;
}

static void *load(int how) {
    void *library = dlopen("libcuda.so.1", how);
    if (library == NULL)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(library != NULL && find(library));
    return library;
}

static void prepare(void) {
    CUcontext context;
    CHECK(p_cuInit(0) == 0);
    CHECK(p_cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(p_cuCtxSetCurrent(context) == 0);
    CHECK(p_cuMemAlloc_v2(&memory, BYTES) == 0);
}

static void copies_work(int seed) {
    memset(bytes, seed, BYTES);
    memset(back, 0, BYTES);
    CHECK(p_cuMemcpyHtoD_v2(memory, bytes, BYTES) == 0);
    CHECK(p_cuMemcpyDtoH_v2(back, memory, BYTES) == 0);
    CHECK(memcmp(bytes, back, BYTES) == 0);
}

/* Its session outlives a handle to it. */
static void reopened(void) {
    void *library = load(RTLD_NOW);
    prepare();
    copies_work(1);
    CHECK(dlclose(library) == 0);
    load(RTLD_NOW);
    copies_work(2);
    CHECK(dlclose(dlopen("libcuda.so.1", RTLD_NOW)) == 0);
    copies_work(3);
}

static void opened_locally(void) {
    load(RTLD_LAZY | RTLD_LOCAL);
    CHECK(dlsym(RTLD_DEFAULT, "cuInit") == NULL && dlsym(RTLD_DEFAULT, "ob_begin") == NULL);
    prepare();
    copies_work(1);
}

static void *open_and_prepare(void *unused) {
    load(RTLD_NOW | RTLD_GLOBAL);
    prepare();
    return unused;
}

static void opened_by_a_thread(void) {
    pthread_t thread;
    CUcontext context;
    CHECK(pthread_create(&thread, NULL, open_and_prepare, NULL) == 0 &&
          pthread_join(thread, NULL) == 0);
    CHECK(p_cuMemcpyHtoD_v2(memory, bytes, BYTES) == 201);
    CHECK(p_cuDevicePrimaryCtxRetain(&context, 0) == 0 && p_cuCtxSetCurrent(context) == 0);
    copies_work(1);
}

/* By who started the program. */
static void preloaded(void) {
    CHECK(find(RTLD_DEFAULT));
    prepare();
    copies_work(1);
}

static void ends_well(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A child of a process that has not called yet is a client of its own. */
static void forked_before(void) {
    load(RTLD_NOW);
    pid_t child = fork();
    prepare();
    copies_work(child == 0);
    if (child == 0)
        exit(0);
    ends_well(child);
    copies_work(2);
}

/* A child of one that has may not call, whatever the parent's threads are at, and does the parent
 * no harm as it ends. */
static void forked_after(void) {
    void *locked;
    int count = 7;
    load(RTLD_NOW);
    prepare();
    copies_work(1);
    CHECK(p_cuMemHostAlloc(&locked, BYTES, 0) == 0);
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            CHECK(p_cuInit(0) == NOT_INITIALIZED && p_cuCtxSynchronize() == NOT_INITIALIZED);
            CHECK(p_cuDeviceGetCount(&count) == NOT_INITIALIZED && count == 7);
            CHECK(p_cuMemcpyDtoH_v2(back, memory, BYTES) == NOT_INITIALIZED &&
                  p_cuMemFreeHost(locked) == NOT_INITIALIZED);
            exit(0);
        }
        ends_well(child);
        memset(locked, i, BYTES);
        CHECK(p_cuMemcpyHtoD_v2(memory, locked, BYTES) == 0 &&
              p_cuMemcpyDtoH_v2(back, memory, BYTES) == 0);
        CHECK(memcmp(locked, back, BYTES) == 0);
        copies_work(i);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"reopened", reopened},
    {"opened-locally", opened_locally},
    {"opened-by-a-thread", opened_by_a_thread},
    {"preloaded", preloaded},
    {"forked-before", forked_before},
    {"forked-after", forked_after},
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            printf("ok\n");
            return 0;
        }
    fprintf(stderr, "usage: loading CASE\n");
    return 2;
}
