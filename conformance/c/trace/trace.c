/* SPDX-License-Identifier: Apache-2.0
 * Preloaded into a program whose libraries are built with -finstrument-functions: writes each
 * function that a thread enters and leaves to the file that OUTBOARD_FUNCTIONS names. A line has
 * '>' or '<', the thread, the object file, and the function's place in it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

static FILE *out;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("OUTBOARD_FUNCTIONS");
    out = name == NULL ? NULL : fopen(name, "w");
}

static void write_line(char what, void *function) {
    Dl_info place;
    if (out != NULL && dladdr(function, &place) != 0)
        fprintf(out, "%c %ld %s 0x%lx\n", what, (long)syscall(SYS_gettid), place.dli_fname,
                (unsigned long)((uintptr_t)function - (uintptr_t)place.dli_fbase));
}

void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    write_line('>', function);
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    write_line('<', function);
}
