/* SPDX-License-Identifier: Apache-2.0
 * Programs that do something wrong, each in one way; prints the driver's answer to that as a
 * number, or "ok" if it is the one that is expected, and else ends.
 * usage: wrong CASE[=ANSWER]...
 */
#include "case.h"

#include <stdint.h>
#include <sys/mman.h>

static const char STORE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                            ".visible .entry store(.param .u64 to)\n"
                            "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
                            "ld.param.u64 %rd1, [to];\ncvta.to.global.u64 %rd2, %rd1;\n"
                            "mov.u32 %r1, 7;\n"
                            "st.global.u32 [%rd2], %r1;\nret;\n}\n"
                            ".visible .entry stop()\n{\ntrap;\nret;\n}\n";

static const char PARTLY[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".visible .entry missing()\n{\nwgmma.fence.sync.aligned;\nret;\n}\n"
                             ".visible .entry nothing()\n{\nret;\n}\n"
                             ".visible .entry endless()\n{\nagain:\nbra.uni again;\n}\n";

static CUcontext context;
static CUmodule module;
static CUfunction store, stop;
static CUdeviceptr memory;

static void prepare(void) {
    must(cuInit(0), "cuInit");
    must(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    must(cuModuleLoadData(&module, STORE), "cuModuleLoadData");
    must(cuModuleGetFunction(&store, module, "store"), "cuModuleGetFunction");
    must(cuModuleGetFunction(&stop, module, "stop"), "cuModuleGetFunction");
    must(cuMemAlloc_v2(&memory, 4096), "cuMemAlloc");
}

static CUresult launch(unsigned grid, unsigned block, unsigned shared, CUdeviceptr to) {
    void *parameters[] = {&to};
    return cuLaunchKernel(store, grid, 1, 1, block, 1, 1, shared, NULL, parameters, NULL);
}

static CUresult not_initialised(void) {
    int count;
    return cuDeviceGetCount(&count);
}

static CUresult no_context(void) {
    CUdeviceptr pointer;
    must(cuInit(0), "cuInit");
    return cuMemAlloc_v2(&pointer, 16);
}

static CUresult bad_device(void) {
    int device;
    must(cuInit(0), "cuInit");
    return cuDeviceGet(&device, 1000);
}

/* A copy in the wrong direction: CUDA leaves open what it does. Here the address counts. */
static CUresult copy_the_wrong_way(void) {
    enum { BYTES = 2048 };
    uint8_t bytes[BYTES], back[BYTES];
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * 7);
    must(cuMemcpyHtoD_v2(memory, bytes, BYTES), "cuMemcpyHtoD");
    must(cuMemcpyHtoD_v2(memory + BYTES, (void *)(uintptr_t)memory, BYTES), "device as host");
    must(cuMemcpyDtoH_v2(back, memory + BYTES, BYTES), "cuMemcpyDtoH");
    must(memcmp(bytes, back, BYTES) != 0, "the copy up");
    must(cuMemsetD8_v2(memory, 0, BYTES), "cuMemsetD8");
    must(cuMemcpyDtoHAsync_v2((void *)(uintptr_t)memory, memory + BYTES, BYTES, NULL),
         "host as device");
    must(cuMemcpyDtoH_v2(back, memory, BYTES), "cuMemcpyDtoH");
    return (CUresult)(memcmp(bytes, back, BYTES) != 0);
}

/* The program ends in the call. */
static CUresult copy_of_what_is_not_there(void) {
    return cuMemcpyHtoD_v2(memory, (void *)(uintptr_t)0x10000, 64);
}

static CUresult copy_to_what_is_not_there(void) {
    return cuMemcpyDtoH_v2((void *)(uintptr_t)0x10000, memory, 64);
}

static CUresult result_for_nowhere(void) {
    return cuMemGetInfo_v2((size_t *)(uintptr_t)0x10000, (size_t *)(uintptr_t)0x10000);
}

static CUresult null_pointer(void) { return cuMemAlloc_v2(NULL, 16); }
static CUresult zero_bytes(void) {
    CUdeviceptr pointer;
    return cuMemAlloc_v2(&pointer, 0);
}
static CUresult too_much(void) {
    CUdeviceptr pointer;
    return cuMemAlloc_v2(&pointer, (size_t)1 << 50);
}
static CUresult freed_twice(void) {
    must(cuMemFree_v2(memory), "cuMemFree");
    return cuMemFree_v2(memory);
}
static CUresult copy_from_nowhere(void) {
    char bytes[16];
    return cuMemcpyDtoH_v2(bytes, 0x1000, sizeof bytes);
}
/* No program has so much memory to copy from. */
static CUresult copy_of_too_much(void) {
    char bytes[16] = {0};
    CUresult result = cuMemcpyHtoDAsync_v2(memory, bytes, (size_t)1 << 60, NULL);
    return result == 1 ? cuMemcpyHtoD_v2(memory, bytes, 1 << 20) : result;
}
/* More than there are, and more than are in memory. */
static CUresult too_many_options(void) {
    CUmodule loaded;
    int option = 0;
    void *value = NULL;
    return cuModuleLoadDataEx(&loaded, STORE, 4294967295u, &option, &value);
}
static CUresult empty_grid(void) { return launch(0, 1, 0, memory); }
static CUresult large_block(void) { return launch(1, 2048, 0, memory); }
static CUresult much_shared(void) { return launch(1, 32, 1 << 20, memory); }
/* The call itself is refused, and the next one is innocent: by itself a block has 48 KiB. */
static CUresult shared_that_nobody_set(void) {
    enum { MAX_DYNAMIC_SHARED = 8, MORE = 50000 };
    CUresult result = launch(1, 1, MORE, memory);
    must(launch(1, 1, 16000, memory), "cuLaunchKernel");
    must(cuFuncSetAttribute(store, MAX_DYNAMIC_SHARED, MORE), "cuFuncSetAttribute");
    must(launch(1, 1, MORE, memory), "cuLaunchKernel");
    must(cuCtxSynchronize(), "cuCtxSynchronize");
    return result;
}
/* Memory of the program that a copy of a box takes for a device's; the next call is innocent. */
static CUresult box_to_the_program(void) {
    enum { HOST = 1, DEVICE = 2, PITCH = 256, WIDTH = 64, HEIGHT = 8 };
    static uint8_t bytes[2 * PITCH * HEIGHT];
    CUDA_MEMCPY3D box = {.sourceType = HOST,
                         .sourceHost = (uintptr_t)bytes,
                         .sourcePitch = PITCH,
                         .sourceHeight = HEIGHT,
                         .destinationType = DEVICE,
                         .destinationDevice = (uintptr_t)bytes,
                         .destinationPitch = PITCH,
                         .destinationHeight = HEIGHT,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .depth = 1};
    CUresult result = cuMemcpy3D_v2(&box), later = cuMemcpy3DAsync_v2(&box, NULL);
    must(cuCtxSynchronize(), "cuCtxSynchronize");
    return result == later ? result : (CUresult)-1;
}
/* Memory that the program has not, or cannot write, is not registered. */
static CUresult registered_nowhere(void) {
    enum { BYTES = 65536, READ_ONLY = 8 };
    void *none = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *read = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUresult result = cuMemHostRegister_v2(none, BYTES, 0);
    must(cuMemHostRegister_v2(read, BYTES, 0) != result, "memory that is only read");
    must(cuMemHostRegister_v2((void *)(uintptr_t)0x10000, BYTES, 0) != result, "no memory");
    must(cuMemHostRegister_v2(read, BYTES, READ_ONLY), "cuMemHostRegister");
    must(cuMemHostUnregister(read), "cuMemHostUnregister");
    return result;
}
static CUresult no_function(void) {
    CUfunction function;
    return cuModuleGetFunction(&function, module, "nothing");
}
static CUresult bad_image(void) {
    CUmodule loaded;
    return cuModuleLoadData(&loaded, "this is no image");
}
static CUresult bad_ptx(void) {
    CUmodule loaded;
    return cuModuleLoadData(&loaded, ".version 6.3\n.target sm_75\n.address_size 64\n"
                                     ".visible .entry broken() { nonsense; }\n");
}
static CUresult later_ptx(void) {
    CUmodule loaded;
    return cuModuleLoadData(&loaded, ".version 99.0\n.target sm_75\n.address_size 64\n"
                                     ".visible .entry later() { ret; }\n");
}
static CUresult later_device(void) {
    CUmodule loaded;
    return cuModuleLoadData(&loaded, ".version 8.0\n.target sm_999\n.address_size 64\n"
                                     ".visible .entry later() { ret; }\n");
}
static CUresult null_function(void) {
    return cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
}
static CUresult foreign_stream(void) {
    return cuStreamSynchronize((CUstream)(uintptr_t)0x1234567890);
}
static CUresult destroyed_event(void) {
    CUevent event;
    must(cuEventCreate(&event, 0), "cuEventCreate");
    must(cuEventDestroy_v2(event), "cuEventDestroy");
    return cuEventRecord(event, NULL);
}
static CUresult event_never_recorded(void) {
    CUevent start, end;
    float milliseconds;
    must(cuEventCreate(&start, 0), "cuEventCreate");
    must(cuEventCreate(&end, 0), "cuEventCreate");
    return cuEventElapsedTime(&milliseconds, start, end);
}
static CUresult wild_store(void) {
    must(launch(1, 1, 0, 0x10), "cuLaunchKernel");
    return cuCtxSynchronize();
}
static CUresult after_a_wild_store(void) {
    wild_store();
    CUdeviceptr pointer;
    return cuMemAlloc_v2(&pointer, 16);
}
static CUresult crooked_store(void) {
    must(launch(1, 1, 0, memory + 1), "cuLaunchKernel");
    return cuCtxSynchronize();
}
static CUresult trapped(void) {
    must(cuLaunchKernel(stop, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), "cuLaunchKernel");
    return cuCtxSynchronize();
}
static CUresult launch_partly(const char *kernel) {
    CUmodule loaded;
    CUfunction function;
    must(cuModuleLoadData(&loaded, PARTLY), "cuModuleLoadData");
    must(cuModuleGetFunction(&function, loaded, kernel), "cuModuleGetFunction");
    return cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL);
}
/* The error may come with the launch or after it. */
static CUresult missing_instruction(void) {
    CUresult launched = launch_partly("missing");
    return launched != 0 ? launched : cuCtxSynchronize();
}
static CUresult after_a_missing_instruction(void) {
    missing_instruction();
    must(launch_partly("nothing"), "cuLaunchKernel");
    return cuCtxSynchronize();
}
static CUresult endless(void) {
    must(launch_partly("endless"), "cuLaunchKernel");
    return cuCtxSynchronize();
}
/* Says that the kernel runs, so that somebody may kill this program then. */
static CUresult endless_told(void) {
    must(launch_partly("endless"), "cuLaunchKernel");
    enum { NOT_READY = 600 };
    if (cuStreamQuery(NULL) == NOT_READY) {
        puts("running");
        fflush(stdout);
    }
    return cuCtxSynchronize();
}

static const struct {
    const char *name;
    CUresult (*run)(void);
    int prepared;
} cases[] = {
    {"not-initialised", not_initialised, 0},
    {"no-context", no_context, 0},
    {"bad-device", bad_device, 0},
    {"copy-the-wrong-way", copy_the_wrong_way, 1},
    {"copy-of-what-is-not-there", copy_of_what_is_not_there, 1},
    {"copy-to-what-is-not-there", copy_to_what_is_not_there, 1},
    {"result-for-nowhere", result_for_nowhere, 1},
    {"null-pointer", null_pointer, 1},
    {"zero-bytes", zero_bytes, 1},
    {"too-much", too_much, 1},
    {"freed-twice", freed_twice, 1},
    {"copy-from-nowhere", copy_from_nowhere, 1},
    {"copy-of-too-much", copy_of_too_much, 1},
    {"too-many-options", too_many_options, 1},
    {"empty-grid", empty_grid, 1},
    {"large-block", large_block, 1},
    {"much-shared", much_shared, 1},
    {"shared-that-nobody-set", shared_that_nobody_set, 1},
    {"box-to-the-program", box_to_the_program, 1},
    {"registered-nowhere", registered_nowhere, 1},
    {"no-function", no_function, 1},
    {"bad-image", bad_image, 1},
    {"bad-ptx", bad_ptx, 1},
    {"later-ptx", later_ptx, 1},
    {"later-device", later_device, 1},
    {"null-function", null_function, 1},
    {"foreign-stream", foreign_stream, 1},
    {"destroyed-event", destroyed_event, 1},
    {"event-never-recorded", event_never_recorded, 1},
    {"wild-store", wild_store, 1},
    {"after-a-wild-store", after_a_wild_store, 1},
    {"crooked-store", crooked_store, 1},
    {"trap", trapped, 1},
    {"missing-instruction", missing_instruction, 1},
    {"after-a-missing-instruction", after_a_missing_instruction, 1},
    {"endless", endless, 1},
    {"endless-told", endless_told, 1},
};

static CUresult run(const char *name, size_t length) {
    static int prepared;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strlen(cases[i].name) == length && memcmp(name, cases[i].name, length) == 0) {
            if (cases[i].prepared && !prepared++)
                prepare();
            return cases[i].run();
        }
    fprintf(stderr, "usage: wrong CASE[=ANSWER]...\n");
    exit(2);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        int result = (int)run(argv[i], length), expects = argv[i][length] != '\0';
        if (expects && result != atoi(argv[i] + length + 1)) {
            fprintf(stderr, "%s: %d\n", argv[i], result);
            return 1;
        }
        expects ? puts("ok") : printf("%d\n", result);
    }
    return 0;
}
