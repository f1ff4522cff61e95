/* SPDX-License-Identifier: Apache-2.0
 * Calls functions by name, without arguments, twice each: the refused ones do not look at any.
 * usage: refused LIBRARY NAME...
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **names) {
    void *library = count > 1 ? dlopen(names[1], RTLD_NOW) : NULL;
    for (int i = 2; library != NULL && i < count; i++) {
        int (*function)(void) = (int (*)(void))dlsym(library, names[i]);
        printf("%s %d %d\n", names[i], function != NULL ? function() : -1,
               function != NULL ? function() : -1);
    }
    return library == NULL;
}
