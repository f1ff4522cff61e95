/* SPDX-License-Identifier: Apache-2.0
 * Does a debugger's work on a library, from inside: finds its symbols, calls its functions, writes
 * its variables, and waits for cuInit.
 * usage: debugger call|attach|inject SYMBOL...
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int cuInit(int flags);

static void *find(const char *symbol) {
    void *found = dlsym(RTLD_DEFAULT, symbol);
    if (found == NULL)
        printf("there is no %s\n", symbol);
    return found;
}

static void call(void) {
    const void *interface = &interface;
    uint32_t version[3] = {1, 2, 3};
    int32_t (*get)(uint32_t, uint32_t, uint32_t, const void **) = find("cudbgGetAPI");
    int32_t (*get_version)(uint32_t *, uint32_t *, uint32_t *) = find("cudbgGetAPIVersion");
    void (*initialise)(uint32_t) = find("cudbgApiInit");
    void (*attach)(void) = find("cudbgApiAttach");
    int32_t first = get(13, 0, 160, &interface),
            second = get_version(&version[0], &version[1], &version[2]);
    printf("%d %d %d %d\n", first, interface == NULL, second, version[0] == 1 && version[2] == 3);
    initialise(2);
    attach();
}

static void attach(void) {
    char *path = find("cudbgInjectionPath");
    *(uint32_t *)find("cudbgIpcFlag") = 1;
    memset(path, '/', 4095);
    printf("%d %d\n", cuInit(0), cuInit(0));
}

int main(int count, char **words) {
    for (int i = 2; i < count; i++)
        find(words[i]);
    if (count > 1 && strcmp(words[1], "call") == 0)
        call();
    else if (count > 1 && strcmp(words[1], "attach") == 0)
        attach();
    else
        printf("%d %d\n", cuInit(0), cuInit(0));
    return 0;
}
