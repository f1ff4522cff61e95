/* SPDX-License-Identifier: Apache-2.0
 * Images that the compiler refuses: the log of errors says why. usage: jit CASE
 */
#include "case.h"

#include <stdint.h>

enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6, PTX = 1, ROOM = 1000 };

#define BEGIN ".version 7.0\n.target sm_75\n.address_size 64\n"

static char wrong[] = BEGIN ".visible .entry go()\n{\nmov.u32 %missing, 1;\n}\n";
static char lacking[] = BEGIN ".extern .func elsewhere();\n"
                              ".visible .entry go()\n{\ncall.uni elsewhere;\nret;\n}\n";

static char text[ROOM];
static int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
static void *values[2];

static void prepare(void) {
    CUcontext primary;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    memset(text, 'x', sizeof text);
    values[0] = text;
    values[1] = (void *)(uintptr_t)ROOM;
}

/* The text ends within the room, its length comes back, and it names what is wrong. */
static void check_log(const char *about) {
    size_t bytes = (size_t)values[1];
    CHECK(bytes > 0 && bytes < ROOM && strlen(text) == bytes);
    CHECK(strstr(text, about) != NULL);
}

static void module(void) {
    CUmodule module;
    CHECK(cuModuleLoadDataEx(&module, wrong, 2, options, values) == 218);
    check_log("%missing");
    values[1] = (void *)(uintptr_t)4;
    memset(text, 'x', sizeof text);
    CHECK(cuModuleLoadDataEx(&module, wrong, 2, options, values) == 218);
    CHECK(values[1] == (void *)(uintptr_t)3 && strlen(text) == 3 && text[4] == 'x');
}

static void fine(void) {
    CUmodule module;
    MUST(cuModuleLoadDataEx(&module, ADD_KERNEL, 2, options, values));
    CHECK(values[1] == NULL && text[0] == '\0');
}

static CUresult link_of(char *image, size_t bytes) {
    CUlinkState link;
    void *made;
    size_t size;
    MUST(cuLinkCreate_v2(2, options, values, &link));
    CUresult result = cuLinkAddData_v2(link, PTX, image, bytes, "first.ptx", 0, NULL, NULL);
    if (result == 0)
        result = cuLinkComplete(link, &made, &size);
    MUST(cuLinkDestroy(link));
    return result;
}

static void linked(void) {
    CHECK(link_of(wrong, sizeof wrong) != 0);
    check_log("%missing");
    prepare();
    CHECK(link_of(lacking, sizeof lacking) != 0);
    check_log("elsewhere");
}

static const test_case cases[] = {{"module", module}, {"fine", fine}, {"linked", linked}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
