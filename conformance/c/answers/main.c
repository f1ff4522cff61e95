/* SPDX-License-Identifier: Apache-2.0
 * Runs the cases, each process those of one state until one of them ends or spoils it; another
 * goes on behind that. Writes a line a case, sorted: its name and what the driver answered.
 * usage: recorder [--jobs=N] [--chunk=N] [--limit=SECONDS] [--state=NAME]
 *                 [--function=NAME] [--one-in=N --seed=N] [--known=FILE] [--rest-of=FILE]
 *                 [--seconds=N] LIBRARY
 * With --known cases that a record has as undefined are left out; with --rest-of only those are run
 * that a record has as not run.
 */
#include "answers.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 64, NAME_ROOM = 256, ANSWER_ROOM = 640 };

/* Seconds in which a process is ready for its first case. */
enum { PREPARATION = 60 };

static struct {
    int jobs, chunk, limit, one_in, seconds;
    unsigned seed;
    const char *state, *function, *known, *rest, *library;
} options = {.jobs = 1, .chunk = 1 << 30, .limit = 10, .seconds = 1 << 30};

/* Where the cases run; some name a file of which nothing is known, and a driver makes it. */
static char folder[] = "/tmp/outboard-answers-XXXXXX";
char image_file[] = "image";
static const char *const FILES[] = {image_file, UNKNOWN_NAME};
static test_case *cases;
static size_t count;
static char **answers;

/* ---- messages of a process ------------------------------------------------------------------- */

typedef struct message {
    size_t index;
    char answer[ANSWER_ROOM]; /* empty: the case begins */
} message;

static int to_parent;

static void tell(size_t index, const char *answer) {
    message message = {.index = index};
    snprintf(message.answer, sizeof message.answer, "%s", answer);
    if (write(to_parent, &message, sizeof message) != (ssize_t)sizeof message)
        _exit(1);
}
static void tell_begun(size_t index) { tell(index, ""); }

/* ---- processes ------------------------------------------------------------------------------- */

typedef struct job {
    pid_t process;
    int from_process;
    size_t next, to; /* cases that are still to come, and where they end */
    bool begun;      /* the next one has */
    time_t since;
} job;

static job jobs[MOST_JOBS];
static size_t given;

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void be_worker(const job *job, int pipe_end) {
    to_parent = pipe_end;
    setpgid(0, 0);
    int nowhere = open("/dev/null", O_RDWR);
    if (getenv("ANSWERS_ERRORS") == NULL)
        dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    run run = {cases, job->next, job->to, tell_begun, tell};
    if (driver_load(options.library))
        state_run(&run);
    _exit(0);
}

static void start(job *job) {
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    job->begun = false;
    job->since = now();
    job->process = fork();
    if (job->process == 0) {
        close(ends[0]);
        be_worker(job, ends[1]);
    }
    close(ends[1]);
    job->from_process = ends[0];
}

static bool give(job *job) {
    if (given == count)
        return false;
    job->next = given;
    while (given < count && cases[given].state == cases[job->next].state &&
           given - job->next < (size_t)options.chunk)
        given++;
    job->to = given;
    start(job);
    return true;
}

static void answer(size_t index, const char *text) {
    free(answers[index]);
    answers[index] = strdup(text);
}

static void take(job *job, const message *message) {
    job->since = now();
    job->next = message->index;
    job->begun = message->answer[0] == '\0';
    if (!job->begun) {
        answer(message->index, message->answer);
        job->next++;
    }
}

/* The process has ended; what it was at is not defined, and another one goes on behind it. */
static bool go_on(job *job, bool hangs) {
    bool spoiled = job->begun;
    kill(-job->process, SIGKILL);
    waitpid(job->process, NULL, 0);
    close(job->from_process);
    job->process = 0;
    if (spoiled) {
        answer(job->next, hangs ? "undefined: does not return" : "undefined");
        job->next++;
    }
    if (job->next == job->to)
        return give(job);
    start(job);
    return true;
}

/* Processes that end without having begun a case have nothing to run it in. */
static void note_unprepared(job *job, size_t before) {
    if (!job->begun && job->next == before && job->next < job->to) {
        answer(job->next, "unprepared");
        job->next++;
    }
}

static void serve(job *job, bool readable, time_t at) {
    static size_t started[MOST_JOBS];
    size_t *before = &started[job - jobs];
    message message;
    if (readable) {
        ssize_t got = read(job->from_process, &message, sizeof message);
        if (got == (ssize_t)sizeof message) {
            take(job, &message);
            return;
        }
        note_unprepared(job, *before);
        go_on(job, false);
        *before = job->next;
    } else if (at - job->since > (job->begun ? options.limit : PREPARATION)) {
        note_unprepared(job, *before);
        go_on(job, true);
        *before = job->next;
    }
}

static void run_all(void) {
    time_t end = now() + options.seconds;
    for (int i = 0; i < options.jobs; i++)
        give(&jobs[i]);
    for (;;) {
        struct pollfd polls[MOST_JOBS];
        int open = 0;
        for (int i = 0; i < options.jobs; i++) {
            polls[i] = (struct pollfd){jobs[i].process == 0 ? -1 : jobs[i].from_process, POLLIN, 0};
            open += jobs[i].process != 0;
        }
        time_t at = now();
        if (open == 0 || at > end)
            break;
        poll(polls, (nfds_t)options.jobs, 500);
        for (int i = 0; i < options.jobs; i++)
            if (jobs[i].process != 0)
                serve(&jobs[i], polls[i].revents != 0, at);
    }
    for (int i = 0; i < options.jobs; i++)
        if (jobs[i].process != 0)
            kill(-jobs[i].process, SIGKILL);
}

/* ---- which cases ----------------------------------------------------------------------------- */

/* Names of cases, sorted. */
typedef struct names {
    char **all;
    size_t count;
} names;

static names undefined, rest;

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those whose answer in a record begins in a way. */
static names read_names(const char *path, const char *answer) {
    names found = {NULL, 0};
    FILE *file = fopen(path, "r");
    char line[NAME_ROOM + ANSWER_ROOM];
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        char *end = strstr(line, answer);
        if (end == NULL)
            continue;
        *end = '\0';
        found.all = realloc(found.all, (found.count + 1) * sizeof *found.all);
        found.all[found.count++] = strdup(line);
    }
    fclose(file);
    qsort(found.all, found.count, sizeof *found.all, compare);
    return found;
}

static bool is_among(const names *names, const test_case *one) {
    char name[NAME_ROOM], *key = name;
    case_name(one, name, sizeof name);
    return names->count > 0 &&
           bsearch(&key, names->all, names->count, sizeof *names->all, compare) != NULL;
}

static bool is_left_out(const test_case *one) {
    if (options.state != NULL && strcmp(options.state, STATE_NAMES[one->state]) != 0)
        return true;
    if (options.function != NULL && strcmp(options.function, FUNCTIONS[one->function].name) != 0)
        return true;
    if (options.one_in > 1 && rand_r(&options.seed) % options.one_in != 0)
        return true;
    return is_among(&undefined, one) || (options.rest != NULL && !is_among(&rest, one));
}

static void choose(void) {
    size_t all = cases_make(&cases);
    for (size_t i = 0; i < all; i++)
        if (!is_left_out(&cases[i]))
            cases[count++] = cases[i];
    answers = calloc(count + 1, sizeof *answers);
}

static void print_all(void) {
    char **lines = calloc(count + 1, sizeof *lines);
    for (size_t i = 0; i < count; i++) {
        char name[NAME_ROOM];
        lines[i] = malloc(NAME_ROOM + ANSWER_ROOM);
        case_name(&cases[i], name, sizeof name);
        snprintf(lines[i], NAME_ROOM + ANSWER_ROOM, "%s: %s", name,
                 answers[i] == NULL ? "not run" : answers[i]);
    }
    qsort(lines, count, sizeof *lines, compare);
    for (size_t i = 0; i < count; i++)
        puts(lines[i]);
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool number(const char *word, const char *name, int *value) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0)
        return false;
    *value = atoi(word + length);
    return true;
}

static bool text(const char *word, const char *name, const char **value) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0)
        return false;
    *value = word + length;
    return true;
}

static bool option(const char *word) {
    return number(word, "--jobs=", &options.jobs) || number(word, "--chunk=", &options.chunk) ||
           number(word, "--limit=", &options.limit) || number(word, "--one-in=", &options.one_in) ||
           number(word, "--seconds=", &options.seconds) ||
           number(word, "--seed=", (int *)&options.seed) ||
           text(word, "--state=", &options.state) ||
           text(word, "--function=", &options.function) || text(word, "--known=", &options.known) ||
           text(word, "--rest-of=", &options.rest);
}

/* The image of a module is there as a file, too. */
static bool enter_folder(void) {
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return false;
    FILE *image = fopen(image_file, "w");
    if (image == NULL)
        return false;
    fputs(object_image(), image);
    return fclose(image) == 0;
}

static void leave_folder(void) {
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        unlink(FILES[i]);
    rmdir(folder);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!option(argv[i]))
            options.library = argv[i];
    if (options.library == NULL || options.jobs < 1 || options.jobs > MOST_JOBS ||
        options.chunk < 1) {
        fprintf(stderr,
                "usage: %s [--jobs=N] [--chunk=N] [--limit=SECONDS] [--state=NAME]"
                " [--function=NAME] [--one-in=N --seed=N] [--known=FILE] [--rest-of=FILE]"
                " [--seconds=N] LIBRARY\n",
                argv[0]);
        return 2;
    }
    if (options.known != NULL)
        undefined = read_names(options.known, ": undefined");
    if (options.rest != NULL)
        rest = read_names(options.rest, ": not run");
    if (strchr(options.library, '/') != NULL)
        options.library = realpath(options.library, NULL);
    if (options.library == NULL || !enter_folder())
        return 2;
    choose();
    run_all();
    print_all();
    leave_folder();
    return 0;
}
