/* SPDX-License-Identifier: Apache-2.0
 * A line a case: a function, the parameter that is not valid, the result, how many bytes an answer
 * has, and what an innocent call is told afterwards. An answer that the library does not survive
 * is undefined.
 * usage: questions [--known=FILE] [--one-in=N] LIBRARY
 * With --known those cases alone run that FILE, which this program has written, knows an answer to.
 * With --one-in each Nth function is asked.
 */
#include "questions.h"

#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 60, LINE = 512, KNOWN = 8192 };

static char *undefined[KNOWN];
static int undefined_count, one_in = 1;

/* ---- one case -------------------------------------------------------------------------------- */

static void *entry_of(const char *name) {
    void *entry = library_entry(name);
    return entry != NULL ? entry : CALL(clGetExtensionFunctionAddress, name);
}

static void run(FILE *to, const function_of_library *function, const word *arguments) {
    void *entry = entry_of(function->name);
    if (entry == NULL) {
        fprintf(to, "absent\n");
        return;
    }
    word returned = function->call(entry, arguments);
    int result = function->makes ? argument_result(function, arguments) : (int)returned;
    fprintf(to, "%d", result);
    if (function->makes)
        fprintf(to, " %s", returned != 0 ? "made" : "nothing");
    if (result == 0 && argument_size(function, arguments) >= 0)
        fprintf(to, " size=%ld", argument_size(function, arguments));
    int after = object_innocent();
    if (after != 0)
        fprintf(to, " after=%d", after);
    fprintf(to, "\n");
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_undefined(const char *name) {
    for (int i = 0; i < undefined_count; i++)
        if (strcmp(undefined[i], name) == 0)
            return true;
    return false;
}

static void read_known(const char *path) {
    char line[LINE];
    FILE *from = fopen(path, "r");
    if (from == NULL)
        abort();
    while (fgets(line, sizeof line, from) != NULL && undefined_count < KNOWN) {
        char *end = strstr(line, ": undefined");
        if (end == NULL)
            continue;
        *end = '\0';
        undefined[undefined_count++] = strdup(line);
    }
    fclose(from);
}

/* The interoperation with OpenGL and EGL has no objects here. */
static bool is_asked(const function_of_library *function) {
    return function->call != NULL && strstr(function->name, "GL") == NULL;
}

static void run_function(FILE *to, const function_of_library *function, int from, int *number) {
    word arguments[PARAMETERS];
    for (int i = -1; i < function->count; i++)
        for (int class = 0;; class++) {
            word value = 0;
            const char *name = i < 0 ? class > 0 ? NULL : "" : "";
            if (i >= 0)
                name = argument_of_class(function, i, class, &value);
            if (name == NULL)
                break;
            char text[LINE] = "";
            snprintf(text, sizeof text, i < 0 ? "%s" : "%s %s=%s", function->name,
                     i < 0 ? "" : function->parameters[i].name, name);
            if ((*number)++ < from || is_undefined(text))
                continue;
            fprintf(to, "%d %s: ", *number, text);
            fflush(to);
            alarm(PATIENCE);
            arguments_make(function, arguments);
            if (i >= 0)
                argument_of_class(function, i, class, &arguments[i]);
            run(to, function, arguments);
            fflush(to);
        }
}

static void run_all(FILE *to, int from) {
    int number = 0;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++)
        if (i % (size_t)one_in == 0 && is_asked(&FUNCTIONS[i]))
            run_function(to, &FUNCTIONS[i], from, &number);
}

/* In a process; what it does not survive is undefined, and another goes on behind that. */
static int follow(const char *path) {
    char line[LINE];
    for (int next = 0;;) {
        int ends[2], status, before = next;
        if (pipe(ends) != 0)
            abort();
        fflush(stdout);
        pid_t process = fork();
        if (process == 0) {
            close(ends[0]);
            if (!library_load(path) || !objects_make())
                _exit(3);
            run_all(fdopen(ends[1], "w"), next);
            _exit(0);
        }
        close(ends[1]);
        FILE *from = fdopen(ends[0], "r");
        while (fgets(line, sizeof line, from) != NULL) {
            next = atoi(line);
            bool whole = strchr(line, '\n') != NULL;
            printf("%s%s", strchr(line, ' ') + 1, whole ? "" : "undefined\n");
        }
        fclose(from);
        waitpid(process, &status, 0);
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (next == before)
            return 3;
    }
}

int main(int argc, char **argv) {
    const char *path = NULL;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--known=", 8) == 0)
            read_known(argv[i] + 8);
        else if (strncmp(argv[i], "--one-in=", 9) == 0)
            one_in = atoi(argv[i] + 9);
        else
            path = argv[i];
    if (path == NULL || one_in < 1) {
        fprintf(stderr, "usage: %s [--known=FILE] [--one-in=N] LIBRARY\n", argv[0]);
        return 2;
    }
    return follow(path);
}
