/* SPDX-License-Identifier: Apache-2.0
 * Calls functions by name, twice each. The refused ones look at no argument, but for one that may
 * not be null; a driver of CUDA's is initialised before, and has a context.
 * usage: refused LIBRARY NAME...
 */
#include <dlfcn.h>
#include <stdio.h>

static void *library;

/* Calls a function that the library may have. */
static int call(const char *name, void *first, void *second) {
    int (*function)(void *, void *) = (int (*)(void *, void *))dlsym(library, name);
    return function != NULL ? function(first, second) : -1;
}

static void prepare(void) {
    void *context = NULL;
    call("cuInit", NULL, NULL);
    if (call("cuDevicePrimaryCtxRetain", &context, NULL) == 0)
        call("cuCtxSetCurrent", context, NULL);
}

int main(int count, char **names) {
    static char something[4096];
    library = count > 1 ? dlopen(names[1], RTLD_NOW) : NULL;
    if (library != NULL)
        prepare();
    for (int i = 2; library != NULL && i < count; i++) {
        int first = call(names[i], something, something);
        printf("%s %d %d\n", names[i], first, call(names[i], something, something));
    }
    return library == NULL;
}
