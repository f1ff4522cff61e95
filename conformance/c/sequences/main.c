/* SPDX-License-Identifier: Apache-2.0
 * Runs the programs of seeds and writes a line a program: its seed, the answer to each call, and a
 * sum of what is in memory afterwards. Calls of a program come from up to three threads, one call
 * at a time.
 * usage: sequences [--from=SEED] [--count=N] [--known=FILE] [--jobs=N] [--only=INDEX,INDEX...]
 * [--names] LIBRARY
 * With --known the programs are those whose answers a file has. With --only a program has those of
 * its calls alone, counted from 0. With --names each call has a line, and there is one job.
 */
#include "sequences.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 32, LINE = LONGEST * (TEXT + 24) + 64, PATIENCE = 60, MOST = 1 << 20 };

static struct {
    int from, count, jobs;
    bool names, chosen[LONGEST], all, listed;
    const char *library;
} options = {.count = 1, .jobs = 1, .all = true};

/* Of all programs, in their order. */
static int seeds[MOST];

/* ---- threads that take turns ----------------------------------------------------------------- */

static struct turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const operation *todo; /* NULL: the thread is to be as at its beginning */
    char *text;
    bool waits;
} turns[THREADS];

static void *serve(void *which) {
    struct turn *mine = which;
    objects_enter();
    pthread_mutex_lock(&mine->lock);
    for (;;) {
        while (!mine->waits)
            pthread_cond_wait(&mine->changed, &mine->lock);
        operation_run(mine->todo, mine->text);
        mine->waits = false;
        pthread_cond_broadcast(&mine->changed);
    }
    return NULL;
}

static void run_in(int thread, const operation *one, char *text) {
    struct turn *other = &turns[thread];
    pthread_mutex_lock(&other->lock);
    other->todo = one;
    other->text = text;
    other->waits = true;
    pthread_cond_broadcast(&other->changed);
    while (other->waits)
        pthread_cond_wait(&other->changed, &other->lock);
    pthread_mutex_unlock(&other->lock);
}

static bool begin(void) {
    if (!driver_load(options.library) || !objects_begin())
        return false;
    for (int i = 0; i < THREADS; i++) {
        pthread_t started;
        pthread_mutex_init(&turns[i].lock, NULL);
        pthread_cond_init(&turns[i].changed, NULL);
        if (pthread_create(&started, NULL, serve, &turns[i]) != 0)
            return false;
    }
    return true;
}

/* ---- a program ------------------------------------------------------------------------------- */

/* False where nothing can follow in this process. */
static bool run_program(int seed, char *line) {
    operation calls[LONGEST];
    int threads[LONGEST];
    numbers_seed((uint64_t)seed);
    int length = SHORTEST + (int)number_below(LONGEST - SHORTEST + 1);
    int used = 1 + (int)number_below(THREADS);
    for (int i = 0; i < length; i++) {
        calls[i] = operation_choose();
        threads[i] = (int)number_below((uint32_t)used);
    }
    int at = sprintf(line, "%d:", seed);
    for (int i = 0; i < length; i++) {
        char text[TEXT];
        if (!options.all && !options.chosen[i])
            continue;
        run_in(threads[i], &calls[i], text);
        at += options.names
                  ? sprintf(line + at, "\n  %d %d %s %s", i, threads[i], operation_name(&calls[i]),
                            text)
                  : sprintf(line + at, " %s", text);
    }
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        run_in(i, NULL, NULL);
    bool well = objects_clean(&sum);
    sprintf(line + at, well ? " = %016llx" : " = lost", (unsigned long long)sum);
    return well;
}

/* ---- processes ------------------------------------------------------------------------------- */

typedef struct job {
    pid_t process;
    FILE *from;
    int next, to;
} job;

static void be_worker(const job *job, int pipe_end) {
    static char line[LINE];
    FILE *out = fdopen(pipe_end, "w");
    if (!begin())
        _exit(1);
    for (int i = job->next; i < job->to; i++) {
        alarm(PATIENCE);
        bool well = run_program(seeds[i], line);
        fprintf(out, "%s\n%s", line, options.names ? "\n" : "");
        fflush(out);
        if (!well)
            break;
    }
    _exit(0);
}

static void start(job *job) {
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    fflush(stdout);
    job->process = fork();
    if (job->process == 0) {
        close(ends[0]);
        be_worker(job, ends[1]);
    }
    close(ends[1]);
    job->from = fdopen(ends[0], "r");
}

/* Its lines, until the process ends; a program in which it ends is undefined. */
static void *follow(void *of) {
    static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
    job *job = of;
    char *line = NULL;
    size_t room = 0;
    while (job->next < job->to) {
        int before = job->next;
        start(job);
        while (getline(&line, &room, job->from) > 0) {
            pthread_mutex_lock(&printing);
            fputs(line, stdout);
            pthread_mutex_unlock(&printing);
            if (line[0] != ' ' && line[0] != '\n')
                job->next++;
        }
        int status = 0;
        fclose(job->from);
        waitpid(job->process, &status, 0);
        if (status != 0 && job->next < job->to) {
            printf("%d: undefined\n", seeds[job->next++]);
        } else if (job->next == before) {
            break;
        }
    }
    free(line);
    return NULL;
}

static void run_all(void) {
    static job jobs[MOST_JOBS];
    pthread_t followers[MOST_JOBS];
    int each = (options.count + options.jobs - 1) / options.jobs;
    for (int i = 0; i < options.jobs; i++) {
        int to = (i + 1) * each;
        jobs[i] = (job){.next = i * each, .to = to < options.count ? to : options.count};
        if (pthread_create(&followers[i], NULL, follow, &jobs[i]) != 0)
            abort();
    }
    for (int i = 0; i < options.jobs; i++)
        pthread_join(followers[i], NULL);
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool number(const char *word, const char *name, int *value) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0)
        return false;
    *value = atoi(word + length);
    return true;
}

static bool only(const char *word) {
    if (strncmp(word, "--only=", 7) != 0)
        return false;
    options.all = false;
    for (const char *at = word + 7; at != NULL && *at != '\0';) {
        int index = atoi(at);
        if (index >= 0 && index < LONGEST)
            options.chosen[index] = true;
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return true;
}

/* A line begins with a seed and a colon; others are about the file. */
static bool known(const char *word) {
    if (strncmp(word, "--known=", 8) != 0)
        return false;
    FILE *file = fopen(word + 8, "r");
    char *line = NULL;
    size_t room = 0;
    if (file == NULL)
        abort();
    options.count = 0;
    while (getline(&line, &room, file) > 0 && options.count < MOST)
        if (sscanf(line, "%d:", &seeds[options.count]) == 1)
            options.count++;
    free(line);
    fclose(file);
    options.listed = true;
    return true;
}

static void make_seeds(void) {
    if (options.count > MOST)
        options.count = MOST;
    for (int i = 0; i < options.count && !options.listed; i++)
        seeds[i] = options.from + i;
    if (options.names)
        options.jobs = 1;
}

static bool option(const char *word) {
    if (strcmp(word, "--names") == 0)
        return options.names = true;
    return number(word, "--from=", &options.from) || number(word, "--count=", &options.count) ||
           number(word, "--jobs=", &options.jobs) || only(word) || known(word);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!option(argv[i]))
            options.library = argv[i];
    if (options.library == NULL || options.jobs < 1 || options.jobs > MOST_JOBS) {
        fprintf(stderr,
                "usage: %s [--from=SEED] [--count=N] [--known=FILE] [--jobs=N]"
                " [--only=INDEX,INDEX...] [--names] LIBRARY\n",
                argv[0]);
        return 2;
    }
    make_seeds();
    run_all();
    return 0;
}
