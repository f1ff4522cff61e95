/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOST_MS = UNDER_TSAN || UNDER_ASAN ? 300000 : 60000, SKIPPED = 77, MOST_PATIENCE = 10 };

static char all_folders[32] = "/tmp", folder[64], diverted_path[96], diverted_text[1 << 16];
static int report_to = STDERR_FILENO;

void check(bool holds, const char *condition, const char *file, int line) {
    if (holds)
        return;
    dprintf(report_to, "%s:%d: does not hold: %s\n", file, line, condition);
    _exit(1);
}

void skip_if(bool condition) {
    if (condition)
        _exit(SKIPPED);
}

bool emulated(void) { return getenv("EMULATED") != NULL; }

/* ---- patience -------------------------------------------------------------------------------- */

/* Processes that work for a moment, one after the other. */
static void run_processes(int count) {
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (volatile int turn = 0; turn < 3000000; turn++)
                continue;
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

static int measured(void) {
    enum { PROCESSES = 10, USUAL_US = 60000 };
    double begin = now_us();
    run_processes(PROCESSES);
    int times = (int)((now_us() - begin) / USUAL_US) + 1;
    return times < MOST_PATIENCE ? times : MOST_PATIENCE;
}

int slowness(void) {
    const char *known = getenv("OUTBOARD_PATIENCE");
    char times[16];
    if (known != NULL && atoi(known) > 0)
        return atoi(known);
    snprintf(times, sizeof times, "%d", measured());
    setenv("OUTBOARD_PATIENCE", times, 1);
    return atoi(times);
}

int patience_ms(void) { return LOST_MS * slowness(); }

void limit_process(void) { alarm(2 * (unsigned)patience_ms() / 1000); }

static bool passes(const test_case *one) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        report_to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
        limit_process();
        one->run();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
    printf("%-60s %s", one->name, status == 0 ? "passed\n" : skipped ? "skipped\n" : "FAILED");
    if (status != 0 && !skipped)
        printf(WIFSIGNALED(status) ? " by signal %d\n" : " with status %d\n",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return status == 0 || skipped;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status, (void)kind, (void)at;
    return remove(path);
}

int run_cases(const test_case cases[], int argc, char **argv) {
    int failed = 0, run = 0;
    strcpy(all_folders, "/tmp/outboard-test.XXXXXX");
    CHECK(mkdtemp(all_folders) != NULL);
    printf("patience: %d times the usual\n", slowness());
    for (const test_case *one = cases; one->name != NULL; one++)
        if (argc < 2 || strcmp(argv[1], one->name) == 0) {
            run++;
            failed += passes(one) ? 0 : 1;
        }
    nftw(all_folders, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return run == 0 || failed > 0;
}

void enter_folder(void) {
    snprintf(folder, sizeof folder, "%s/XXXXXX", all_folders);
    CHECK(mkdtemp(folder) != NULL);
    CHECK(chdir(folder) == 0);
}

const char *fresh_folder(void) {
    enter_folder();
    setenv("HOME", folder, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("OUTBOARD");
    unsetenv("OUTBOARD_TOKEN");
    /* The peer would be the hypervisor of the machine that runs the tests. */
    setenv("OUTBOARD_VSOCK", "0", 1);
    unsetenv("OUTBOARD_SYNC");
    unsetenv("OUTBOARD_IVSHMEM");
    unsetenv("OUTBOARD_VERBOSE");
    return folder;
}

void divert(int fd) {
    CHECK(folder[0] != '\0');
    snprintf(diverted_path, sizeof diverted_path, "%s/diverted", folder);
    int file = open(diverted_path, O_CREAT | O_WRONLY | O_TRUNC | O_APPEND, 0600);
    CHECK(file >= 0 && dup2(file, fd) == fd);
    close(file);
}

const char *diverted(void) {
    int file = open(diverted_path, O_RDONLY);
    ssize_t n = read(file, diverted_text, sizeof diverted_text - 1);
    close(file);
    CHECK(n >= 0);
    diverted_text[n] = '\0';
    return diverted_text;
}

void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

void sleep_ms(int milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000,
                                 .tv_nsec = milliseconds % 1000 * 1000000L},
              NULL);
}

static double microseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

double now_us(void) { return microseconds(CLOCK_MONOTONIC); }

double cpu_us(void) { return microseconds(CLOCK_PROCESS_CPUTIME_ID); }

static long sleeps(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

/* A thread that spun would use the processor all the time, one that looked every few milliseconds
 * would sleep more often. The thread sanitizer has a thread of its own. */
bool rests_for(int milliseconds) {
    double before;
    do {
        before = cpu_us();
        sleep_ms(50);
    } while (cpu_us() - before > 5000);
    double cpu = cpu_us();
    long slept = sleeps();
    sleep_ms(milliseconds);
    return cpu_us() - cpu < milliseconds * 100 && sleeps() - slept < milliseconds / 25;
}
