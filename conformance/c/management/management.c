/* SPDX-License-Identifier: Apache-2.0
 * Records how a management library answers: each function that only asks, with each class of value
 * of each parameter, and before the library is initialised. Nothing is set. A line a case: a state,
 * a function, the parameter that is not valid, and the result. It needs libc and a
 * libnvidia-ml.so.1.
 * usage: management LIBRARY
 */
#include <functions.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARAMETERS = 20, ROOM = 256 << 10, PATIENCE = 30 };

typedef uint64_t word;

static void *library;
static _Alignas(64) unsigned char blocks[PARAMETERS][ROOM];
static word device;

static int call_of(const function_of_library *function, const word *arguments) {
    void *entry = dlsym(library, function->name);
    return entry == NULL ? -1 : (int)function->call(entry, arguments);
}

/* ---- which functions ------------------------------------------------------------------------- */

static bool asks(const char *name) {
    static const char *const PARTS[] = {"Get", "Validate", "OnSameBoard"};
    static const char *const NOT[] = {"Set", "Clear", "Reset", "Create", "Destroy", "Register"};
    for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++)
        if (strstr(name, NOT[i]) != NULL)
            return false;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (strstr(name, PARTS[i]) != NULL)
            return true;
    return false;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Structures say first which of their versions they are: the size, and the number of their name. */
static word version_of(const function_parameter *about) {
    const char *at = strstr(about->type, "_v");
    return at == NULL ? 0 : about->bytes | (word)(at[2] - '0') << 24;
}

static word valid(const function_parameter *about, int index) {
    unsigned char *block = blocks[index];
    memset(block, 0, ROOM);
    switch (about->role) {
    case HANDLE: return strcmp(about->type, "nvmlDevice_t") == 0 ? device : 0;
    case NUMBER: return strcmp(about->name, "length") == 0 ? 96 : 0;
    case ADDRESS: return 0;
    case TEXT: return (word)(uintptr_t)"0000:00:00.0";
    default: break;
    }
    word first = version_of(about);
    if (about->role == POINTER && first == 0 && about->bytes == 4)
        first = 16; /* how many there is room for */
    memcpy(block, &first, 4);
    return (word)(uintptr_t)block;
}

/* The classes of a parameter, and what each is; returns false behind the last. */
static bool of_class(const function_parameter *about, int class, int index, const char **name,
                     word *value) {
    static const struct {
        const char *name;
        word value;
    } NUMBERS[] = {{"one", 1}, {"three", 3}, {"beyond", 1 << 16}, {"most", 0xffffffff}};
    if (about->role == NUMBER || about->role == ADDRESS) {
        if (class >= (int)(sizeof NUMBERS / sizeof *NUMBERS))
            return false;
        *name = NUMBERS[class].name;
        *value = NUMBERS[class].value;
        return true;
    }
    if (class == 0) {
        *name = "null";
        *value = 0;
        return true;
    }
    if (class == 1 && about->role == POINTER) {
        *name = "zeros";
        memset(blocks[index], 0, ROOM);
        *value = (word)(uintptr_t)blocks[index];
        return true;
    }
    return false;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Runs the cases of a function, but those that have been run; a line each. */
static void run(FILE *to, const function_of_library *function, const char *state, int from) {
    static int number;
    word arguments[PARAMETERS];
    for (int i = -1; i < function->count; i++) {
        for (int class = 0;; class++) {
            const char *name = NULL;
            word value = 0;
            for (int k = 0; k < function->count; k++)
                arguments[k] = valid(&function->parameters[k], k);
            if (i < 0 ? class > 0 : !of_class(&function->parameters[i], class, i, &name, &value))
                break;
            if (i >= 0)
                arguments[i] = value;
            if (number++ < from)
                continue;
            fprintf(to, "%s %s", state, function->name);
            if (i >= 0)
                fprintf(to, " %s=%s", function->parameters[i].name, name);
            fprintf(to, ": ");
            fflush(to);
            alarm(PATIENCE);
            fprintf(to, "%d\n", call_of(function, arguments));
            fflush(to);
            if (strcmp(state, "uninitialised") == 0)
                return;
        }
    }
}

static bool begin(const char *path, bool initialised) {
    library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        return false;
    int (*init)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
    int (*find)(unsigned, void *) =
        (int (*)(unsigned, void *))dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
    return !initialised || (init() == 0 && find(0, &device) == 0);
}

static void run_all(FILE *to, const char *state, int from) {
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++)
        if (FUNCTIONS[i].call != NULL && asks(FUNCTIONS[i].name))
            run(to, &FUNCTIONS[i], state, from);
}

/* In a process; what it does not survive is undefined, and another goes on behind that. */
static void follow(const char *path, const char *state) {
    char line[512];
    for (int next = 0;;) {
        int ends[2], status;
        if (pipe(ends) != 0)
            abort();
        fflush(stdout);
        pid_t process = fork();
        if (process == 0) {
            FILE *to = fdopen(ends[1], "w");
            close(ends[0]);
            if (!begin(path, strcmp(state, "normal") == 0))
                _exit(3);
            run_all(to, state, next);
            _exit(0);
        }
        close(ends[1]);
        FILE *from = fdopen(ends[0], "r");
        while (fgets(line, sizeof line, from) != NULL) {
            bool whole = strchr(line, '\n') != NULL;
            printf("%s%s", line, whole ? "" : "undefined\n");
            next++;
        }
        fclose(from);
        waitpid(process, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
            exit(WEXITSTATUS(status));
        if (WIFEXITED(status))
            return;
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s LIBRARY\n", argv[0]);
        return 2;
    }
    follow(argv[1], "normal");
    follow(argv[1], "uninitialised");
    return 0;
}
