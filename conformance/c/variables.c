/* SPDX-License-Identifier: Apache-2.0
 * Prints what variables of the environment change. usage: variables devices|identifiers|launch
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(CUresult result, const char *what) {
    if (result != 0) {
        printf("%s: %d\n", what, (int)result);
        exit(0);
    }
}

/* The PCI bus of each device that the program sees. */
static void devices(void) {
    int count, bus;
    must(cuInit(0), "cuInit");
    must(cuDeviceGetCount(&count), "cuDeviceGetCount");
    for (int i = 0; i < count; i++) {
        must(cuDeviceGetAttribute(&bus, 33, i), "cuDeviceGetAttribute");
        printf("%d ", bus);
    }
    printf("\n");
}

/* The identifier of each device, as the variables name it. */
static void identifiers(void) {
    int count;
    unsigned char id[16];
    must(cuInit(0), "cuInit");
    must(cuDeviceGetCount(&count), "cuDeviceGetCount");
    for (int i = 0; i < count; i++) {
        must(cuDeviceGetUuid_v2((void *)id, i), "cuDeviceGetUuid");
        printf("GPU-");
        for (int at = 0; at < 16; at++)
            printf(at == 4 || at == 6 || at == 8 || at == 10 ? "-%02x" : "%02x", id[at]);
        printf("\n");
    }
}

/* The results of launching a kernel that stops itself, and of waiting for it. */
static void launch(void) {
    static const char STOP[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                               ".visible .entry stop()\n{\ntrap;\nret;\n}\n";
    CUcontext context;
    CUmodule module;
    CUfunction stop;
    must(cuInit(0), "cuInit");
    must(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    must(cuModuleLoadData(&module, STOP), "cuModuleLoadData");
    must(cuModuleGetFunction(&stop, module, "stop"), "cuModuleGetFunction");
    CUresult launched = cuLaunchKernel(stop, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    printf("%d %d\n", (int)launched, (int)cuCtxSynchronize());
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "devices") == 0)
        devices();
    else if (argc == 2 && strcmp(argv[1], "identifiers") == 0)
        identifiers();
    else if (argc == 2 && strcmp(argv[1], "launch") == 0)
        launch();
    else
        return 2;
    return 0;
}
