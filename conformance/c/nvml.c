/* SPDX-License-Identifier: Apache-2.0
 * The management library. "nvml list" prints what each function says of each device, so that what
 * the vendor's library and ours say can be compared (conformance/nvml/compare); "nvml CASE" checks
 * one thing and prints "ok". The library is loaded when it is wanted, as programs do.
 */
#include "case.h"

#include <dlfcn.h>
#include <nvml.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNINITIALIZED = 1, INVALID_ARGUMENT = 2, INSUFFICIENT_SIZE = 7, VERSION_MISMATCH = 25 };

#define VERSIONED(type, version) ((int)(sizeof(type) | (unsigned)(version) << 24))

static void *library;

static void *function(const char *name) {
    if (library == NULL)
        library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return dlsym(library, name);
}

/* A function by its own type, NULL if the library lacks it. */
#define F(name) ((__typeof__(&name))function(#name))
#define NVML(name, ...) must_nvml(F(name)(__VA_ARGS__), #name)

static void must_nvml(nvmlReturn_t result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "%s: %d\n", what, result);
        exit(1);
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

static void print_words(const char *name, int result, const void *from, size_t bytes) {
    const unsigned *words = from;
    printf("%s -> %d", name, result);
    for (size_t i = 0; result == 0 && i < bytes / sizeof *words; i++)
        printf(" %u", words[i]);
    puts("");
}

static void print_text(const char *name, int result, const char *text) {
    printf("%s -> %d %s\n", name, result, result == 0 ? text : "");
}

typedef int (*any)();
#pragma GCC diagnostic ignored "-Wstrict-prototypes"

static void text_of(nvmlDevice_t device, const char *name) {
    char text[128] = "";
    any call = (any)function(name);
    if (call != NULL)
        print_text(name, call(device, text, (unsigned)sizeof text), text);
}

/* Functions that write so many words behind one pointer. */
static void words_of(nvmlDevice_t device, const char *name, size_t bytes) {
    uint64_t words[512] = {0};
    any call = (any)function(name);
    if (call != NULL)
        print_words(name, call(device, words), words, bytes);
}

static void versioned_of(nvmlDevice_t device, const char *name, int version, size_t bytes) {
    uint64_t words[512] = {0};
    any call = (any)function(name);
    memcpy(words, &version, sizeof version);
    if (call != NULL)
        print_words(name, call(device, words), words, bytes);
}

static void pairs_of(nvmlDevice_t device, const char *name) {
    unsigned pair[2] = {0};
    any call = (any)function(name);
    if (call != NULL)
        print_words(name, call(device, &pair[0], &pair[1]), pair, sizeof pair);
}

static void numbered(nvmlDevice_t device, const char *name, unsigned from, unsigned to,
                     size_t bytes) {
    any call = (any)function(name);
    for (unsigned i = from; call != NULL && i < to; i++) {
        uint64_t words[16] = {0};
        char label[128];
        snprintf(label, sizeof label, "%s %u", name, i);
        print_words(label, call(device, i, words), words, bytes);
    }
}

static void counted(nvmlDevice_t device, const char *name) {
    uint64_t room[1024] = {0};
    unsigned count = 0;
    any call = (any)function(name);
    if (call == NULL)
        return;
    print_words(name, call(device, &count, NULL), &count, sizeof count);
    printf("  needs %u\n", count);
    count = 64;
    int result = call(device, &count, room);
    printf("  given room -> %d %u\n", result, result == 0 ? count : 0);
}

static const char *const texts[] = {"nvmlDeviceGetName",
                                    "nvmlDeviceGetSerial",
                                    "nvmlDeviceGetUUID",
                                    "nvmlDeviceGetVbiosVersion",
                                    "nvmlDeviceGetBoardPartNumber",
                                    "nvmlDeviceGetInforomImageVersion"};
/* One word each. */
static const char *const figures[] = {"nvmlDeviceGetIndex",
                                      "nvmlDeviceGetMinorNumber",
                                      "nvmlDeviceGetBrand",
                                      "nvmlDeviceGetArchitecture",
                                      "nvmlDeviceGetBoardId",
                                      "nvmlDeviceGetMultiGpuBoard",
                                      "nvmlDeviceGetModuleId",
                                      "nvmlDeviceGetNumGpuCores",
                                      "nvmlDeviceGetMemoryBusWidth",
                                      "nvmlDeviceGetIrqNum",
                                      "nvmlDeviceGetBusType",
                                      "nvmlDeviceGetPersistenceMode",
                                      "nvmlDeviceGetComputeMode",
                                      "nvmlDeviceGetDisplayMode",
                                      "nvmlDeviceGetDisplayActive",
                                      "nvmlDeviceGetVirtualizationMode",
                                      "nvmlDeviceGetHostVgpuMode",
                                      "nvmlDeviceIsMigDeviceHandle",
                                      "nvmlDeviceGetMaxMigDeviceCount",
                                      "nvmlDeviceGetGpuInstanceId",
                                      "nvmlDeviceGetComputeInstanceId",
                                      "nvmlDeviceGetFanSpeed",
                                      "nvmlDeviceGetNumFans",
                                      "nvmlDeviceGetPerformanceState",
                                      "nvmlDeviceGetPowerState",
                                      "nvmlDeviceGetPowerManagementMode",
                                      "nvmlDeviceGetPowerManagementLimit",
                                      "nvmlDeviceGetPowerManagementDefaultLimit",
                                      "nvmlDeviceGetEnforcedPowerLimit",
                                      "nvmlDeviceGetPowerSource",
                                      "nvmlDeviceGetMaxPcieLinkGeneration",
                                      "nvmlDeviceGetGpuMaxPcieLinkGeneration",
                                      "nvmlDeviceGetMaxPcieLinkWidth",
                                      "nvmlDeviceGetCurrPcieLinkWidth",
                                      "nvmlDeviceGetCurrPcieLinkGeneration",
                                      "nvmlDeviceGetPcieLinkMaxSpeed",
                                      "nvmlDeviceGetPcieSpeed",
                                      "nvmlDeviceGetPcieReplayCounter",
                                      "nvmlDeviceGetDefaultEccMode",
                                      "nvmlDeviceGetRetiredPagesPendingStatus",
                                      "nvmlDeviceGetAccountingMode",
                                      "nvmlDeviceGetAccountingBufferSize",
                                      "nvmlDeviceGetNumaNodeId",
                                      "nvmlDeviceGetAdaptiveClockInfoStatus",
                                      "nvmlDeviceGetGpcClkVfOffset",
                                      "nvmlDeviceGetMemClkVfOffset",
                                      "nvmlDeviceGetC2cModeInfoV",
                                      "nvmlDeviceGetInforomConfigurationChecksum",
                                      "nvmlDeviceGetUnrepairableMemoryFlag_v1"};
static const char *const pairs[] = {"nvmlDeviceGetEccMode",
                                    "nvmlDeviceGetMigMode",
                                    "nvmlDeviceGetCudaComputeCapability",
                                    "nvmlDeviceGetPowerManagementLimitConstraints",
                                    "nvmlDeviceGetGpuOperationMode",
                                    "nvmlDeviceGetDriverModel_v2",
                                    "nvmlDeviceGetAutoBoostedClocksEnabled",
                                    "nvmlDeviceGetGspFirmwareMode",
                                    "nvmlDeviceGetMinMaxFanSpeed",
                                    "nvmlDeviceGetGpcClkMinMaxVfOffset",
                                    "nvmlDeviceGetMemClkMinMaxVfOffset"};
static const struct {
    const char *name;
    size_t bytes;
} structures[] = {{"nvmlDeviceGetPciInfo_v3", 68},
                  {"nvmlDeviceGetBAR1MemoryInfo", 8},
                  {"nvmlDeviceGetRemappedRows_v2", 24},
                  {"nvmlDeviceGetRowRemapperHistogram", 20},
                  {"nvmlDeviceGetSupportedClocksThrottleReasons", 8},
                  {"nvmlDeviceGetSupportedEventTypes", 8},
                  {"nvmlDeviceGetFBCStats", 12},
                  {"nvmlDeviceGetBridgeChipInfo", 4},
                  {"nvmlDeviceGetConfComputeMemSizeInfo", 16},
                  {"nvmlDeviceGetConfComputeProtectedMemoryUsage", 24},
                  {"nvmlDeviceGetGpuFabricInfo", 28},
                  {"nvmlDeviceGetGridLicensableFeatures_v4", 8},
                  {"nvmlDeviceGetAttributes_v2", 40},
                  {"nvmlDeviceGetDynamicPstatesInfo", 4},
                  {"nvmlDeviceGetHostname_v1", 64}};
static const struct {
    const char *name;
    int version;
    size_t bytes, shown;
} versions[] = {{"nvmlDeviceGetGpuFabricInfoV", 2, 36, 36},
                {"nvmlDeviceGetGpuFabricInfoV", 3, 40, 40},
                {"nvmlDeviceGetPlatformInfo", 2, 44, 44},
                {"nvmlDeviceGetPciInfoExt", 1, 64, 64},
                {"nvmlDeviceGetPdi", 1, 16, 16},
                {"nvmlDeviceGetCapabilities", 1, 8, 8},
                {"nvmlDeviceGetAddressingMode", 1, 8, 8},
                {"nvmlDeviceGetSramEccErrorStatus", 1, 104, 104},
                {"nvmlDeviceGetRepairStatus", 1, 12, 12},
                {"nvmlDeviceGetNvlinkBwMode", 1, 12, 12},
                {"nvmlDeviceGetNvlinkSupportedBwModes", 1, 28, 28},
                {"nvmlDeviceGetPerformanceModes", 1, 2052, 4},
                {"nvmlDeviceGetVgpuHeterogeneousMode", 1, 8, 8},
                {"nvmlDeviceGetCoolerInfo", 1, 16, 16},
                {"nvmlDeviceGetMemoryInfo_v2", 7, 40, 0}};
static const char *const lists[] = {"nvmlDeviceGetComputeRunningProcesses",
                                    "nvmlDeviceGetComputeRunningProcesses_v2",
                                    "nvmlDeviceGetComputeRunningProcesses_v3",
                                    "nvmlDeviceGetGraphicsRunningProcesses_v3",
                                    "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                                    "nvmlDeviceGetSupportedMemoryClocks",
                                    "nvmlDeviceGetAccountingPids",
                                    "nvmlDeviceGetEncoderSessions",
                                    "nvmlDeviceGetFBCSessions"};

#define EACH(array, i) for (size_t i = 0; i < sizeof array / sizeof *array; i++)

/* With the same text on both sides: the figures that change are not shown. */
static void measured(nvmlDevice_t device) {
    static const char *const names[] = {
        "nvmlDeviceGetPowerUsage", "nvmlDeviceGetTotalEnergyConsumption",
        "nvmlDeviceGetUtilizationRates", "nvmlDeviceGetCurrentClocksThrottleReasons"};
    EACH(names, i)
        words_of(device, names[i], 0);
    static const char *const busy[] = {
        "nvmlDeviceGetEncoderUtilization", "nvmlDeviceGetDecoderUtilization",
        "nvmlDeviceGetJpgUtilization", "nvmlDeviceGetOfaUtilization"};
    EACH(busy, i)
        pairs_of(device, busy[i]);
    numbered(device, "nvmlDeviceGetClockInfo", 0, 4, 0);
    numbered(device, "nvmlDeviceGetTemperature", 0, 2, 0);
    numbered(device, "nvmlDeviceGetPcieThroughput", 0, 2, 0);
}

static void field_values(nvmlDevice_t device) {
    static const int fields[] = {1, 82, 83, 91, 94, 95, 147, 160, 165, 185, 186, 193, 194, 230};
    enum { FIELDS = sizeof fields / sizeof *fields };
    nvmlFieldValue_t values[FIELDS] = {{0}};
    for (int i = 0; i < FIELDS; i++)
        values[i].field = fields[i];
    printf("nvmlDeviceGetFieldValues -> %d", F(nvmlDeviceGetFieldValues)(device, FIELDS, values));
    for (int i = 0; i < FIELDS; i++)
        printf(" %d:%d:%d", values[i].field, values[i].result,
               values[i].result == 0 ? values[i].type : 0);
    puts("");
}

static void list_device(nvmlDevice_t device) {
    EACH(texts, i)
        text_of(device, texts[i]);
    EACH(figures, i)
        words_of(device, figures[i], 4);
    EACH(pairs, i)
        pairs_of(device, pairs[i]);
    EACH(structures, i)
        words_of(device, structures[i].name, structures[i].bytes);
    EACH(versions, i)
        versioned_of(device, versions[i].name, (int)versions[i].bytes | versions[i].version << 24,
                     versions[i].shown);
    EACH(lists, i)
        counted(device, lists[i]);
    measured(device);
    numbered(device, "nvmlDeviceGetMaxClockInfo", 0, 4, 4);
    numbered(device, "nvmlDeviceGetApplicationsClock", 0, 4, 4);
    numbered(device, "nvmlDeviceGetDefaultApplicationsClock", 0, 4, 4);
    numbered(device, "nvmlDeviceGetTemperatureThreshold", 0, 8, 4);
    numbered(device, "nvmlDeviceGetNvLinkState", 0, 18, 4);
    numbered(device, "nvmlDeviceGetNvLinkVersion", 0, 18, 4);
    numbered(device, "nvmlDeviceGetNvLinkRemoteDeviceType", 0, 18, 4);
    numbered(device, "nvmlDeviceGetNvLinkRemotePciInfo_v2", 0, 18, 68);
    numbered(device, "nvmlDeviceGetEncoderCapacity", 0, 3, 4);
    field_values(device);
    uint64_t set[2] = {0};
    print_words("nvmlDeviceGetCpuAffinity", F(nvmlDeviceGetCpuAffinity)(device, 2, set), set,
                sizeof set);
    print_words("nvmlDeviceGetMemoryAffinity", F(nvmlDeviceGetMemoryAffinity)(device, 2, set, 0),
                set, sizeof set);
    nvmlMemory_t memory = {0};
    print_words("nvmlDeviceGetMemoryInfo", F(nvmlDeviceGetMemoryInfo)(device, &memory),
                &memory.total, sizeof memory.total);
}

static void list(void) {
    char text[128] = "";
    int number = 0, result;
    NVML(nvmlInit_v2);
    result = F(nvmlSystemGetDriverVersion)(text, sizeof text);
    print_text("nvmlSystemGetDriverVersion", result, text);
    result = F(nvmlSystemGetNVMLVersion)(text, sizeof text);
    print_text("nvmlSystemGetNVMLVersion", result, text);
    print_words("nvmlSystemGetCudaDriverVersion_v2", F(nvmlSystemGetCudaDriverVersion_v2)(&number),
                &number, sizeof number);
    nvmlConfComputeSystemState_t state = {0};
    print_words("nvmlSystemGetConfComputeState", F(nvmlSystemGetConfComputeState)(&state), &state,
                sizeof state);
    NVML(nvmlDeviceGetCount_v2, &number);
    printf("%d devices\n", number);
    for (int i = 0; i < number; i++) {
        nvmlDevice_t device, first;
        NVML(nvmlDeviceGetHandleByIndex_v2, i, &device);
        NVML(nvmlDeviceGetHandleByIndex_v2, 0, &first);
        list_device(device);
        int level = 0, status = 0;
        print_words("nvmlDeviceGetTopologyCommonAncestor",
                    F(nvmlDeviceGetTopologyCommonAncestor)(first, device, &level), &level,
                    sizeof level);
        print_words("nvmlDeviceGetP2PStatus", F(nvmlDeviceGetP2PStatus)(first, device, 0, &status),
                    &status, sizeof status);
    }
    NVML(nvmlShutdown);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static nvmlDevice_t first_device(void) {
    nvmlDevice_t device;
    NVML(nvmlInit_v2);
    NVML(nvmlDeviceGetHandleByIndex_v2, 0, &device);
    CHECK(device != NULL);
    return device;
}

static CUcontext begin_cuda(void) {
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    return context;
}

static void uninitialised(void) {
    int count;
    CHECK(F(nvmlDeviceGetCount_v2)(&count) == UNINITIALIZED);
    CHECK(F(nvmlShutdown)() == UNINITIALIZED);
    NVML(nvmlInit_v2);
    NVML(nvmlInitWithFlags, 0);
    NVML(nvmlShutdown);
    NVML(nvmlDeviceGetCount_v2, &count);
    CHECK(count >= 1);
    NVML(nvmlShutdown);
    CHECK(F(nvmlDeviceGetCount_v2)(&count) == UNINITIALIZED);
}

/* The older forms of the structure are its beginning. */
static void places(void) {
    nvmlDevice_t device = first_device();
    nvmlPciInfo_t place, older;
    NVML(nvmlDeviceGetPciInfo_v3, device, &place);
    memset(&older, 7, sizeof older);
    NVML(nvmlDeviceGetPciInfo, device, &older);
    CHECK(memcmp(&place, &older, 36) == 0 && ((unsigned char *)&older)[36] == 7);
    NVML(nvmlDeviceGetPciInfo_v2, device, &older);
    CHECK(memcmp(&place, &older, 36) == 0 && ((unsigned char *)&older)[36] == 7);
    CHECK(F(nvmlDeviceGetPciInfo)(device, NULL) != 0);
}

/* The questions of nvidia-smi's 'topo -m' to a table of its own: by addresses, about two GPUs and
 * about a GPU and something else. */
static void topology(void) {
    static const uint8_t id[16] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e,
                                   0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};
    enum { SLOT = 23, NODE = 40, SYSTEM = 50 };
    nvmlDevice_t first = first_device(), second;
    nvmlPciInfo_t one, other;
    const void *table;
    int level, said = -1;
    NVML(nvmlDeviceGetHandleByIndex_v2, 1, &second);
    NVML(nvmlDeviceGetPciInfo_v3, first, &one);
    NVML(nvmlDeviceGetPciInfo_v3, second, &other);
    NVML(nvmlDeviceGetTopologyCommonAncestor, first, second, &level);
    CHECK(level == NODE);
    must_nvml(
        ((int (*)(const void **, const void *))function("nvmlInternalGetExportTable"))(&table, id),
        "nvmlInternalGetExportTable");
    int (*between)(const void *, const void *, int *) =
        ((int (*const *)(const void *, const void *, int *))table)[SLOT];
    must_nvml(between(one.address, other.address, &said), "two GPUs");
    CHECK(said == (NODE - 10) / 10);
    must_nvml(between(one.address, "0000:7F:1F.7", &said), "a GPU and what is none");
    CHECK(said == (SYSTEM - 10) / 10);
    CHECK(between(one.address, NULL, &said) == INVALID_ARGUMENT);
    uint64_t near[16], socket[16];
    NVML(nvmlDeviceGetCpuAffinity, first, 16, near);
    NVML(nvmlDeviceGetCpuAffinityWithinScope, first, 16, socket, 1);
    CHECK(near[0] != 0 && memcmp(near, socket, sizeof near) == 0);
    CHECK(F(nvmlDeviceGetCpuAffinityWithinScope)(first, 16, socket, 2) == INVALID_ARGUMENT);
}

/* The devices are those of CUDA. */
static void same_devices(void) {
    int count, devices;
    MUST(cuInit(0));
    NVML(nvmlInit_v2);
    NVML(nvmlDeviceGetCount_v2, &count);
    MUST(cuDeviceGetCount(&devices));
    CHECK(count == devices);
    for (int i = 0; i < count; i++) {
        unsigned char uuid[16];
        char bus[32], name[96], told[96], text[96] = "GPU-";
        nvmlDevice_t by_bus, by_uuid, by_index;
        MUST(cuDeviceGetUuid_v2(uuid, i));
        for (int b = 0; b < 16; b++)
            sprintf(text + strlen(text), "%s%02x", b == 4 || b == 6 || b == 8 || b == 10 ? "-" : "",
                    uuid[b]);
        MUST(cuDeviceGetPCIBusId(bus, sizeof bus, i));
        NVML(nvmlDeviceGetHandleByPciBusId_v2, bus, &by_bus);
        NVML(nvmlDeviceGetHandleByUUID, text, &by_uuid);
        NVML(nvmlDeviceGetHandleByIndex_v2, i, &by_index);
        CHECK(by_bus == by_uuid && by_bus == by_index);
        MUST(cuDeviceGetName(name, sizeof name, i));
        NVML(nvmlDeviceGetName, by_bus, told, sizeof told);
        CHECK(strcmp(name, told) == 0);
        nvmlPciInfo_t place;
        NVML(nvmlDeviceGetPciInfo_v3, by_bus, &place);
        CHECK(strcmp((char *)place.address + 4, bus) == 0);
    }
}

/* What CUDA takes is used here, and by this process. */
static void memory_and_processes(void) {
    CUdeviceptr taken;
    nvmlMemory_t before, after;
    nvmlProcessInfo_t processes[64];
    begin_cuda();
    nvmlDevice_t device = first_device();
    NVML(nvmlDeviceGetMemoryInfo, device, &before);
    MUST(cuMemAlloc_v2(&taken, 64 << 20));
    NVML(nvmlDeviceGetMemoryInfo, device, &after);
    CHECK(after.total == before.total && after.used >= before.used + (64 << 20) &&
          after.free + after.used == after.total);
    nvmlMemory_v2_t memory = {.version = VERSIONED(nvmlMemory_v2_t, 2)};
    NVML(nvmlDeviceGetMemoryInfo_v2, device, &memory);
    CHECK(memory.total == after.total && memory.used >= 64 << 20);
    memory.version = VERSIONED(nvmlMemory_v2_t, 9);
    CHECK(F(nvmlDeviceGetMemoryInfo_v2)(device, &memory) == VERSION_MISMATCH);
    memory.version = (2 << 24) + (int)sizeof memory + 8;
    CHECK(F(nvmlDeviceGetMemoryInfo_v2)(device, &memory) == VERSION_MISMATCH);
    int count = 0, own = 0;
    CHECK(F(nvmlDeviceGetComputeRunningProcesses_v3)(device, &count, NULL) == INSUFFICIENT_SIZE);
    CHECK(count >= 1 && count <= 64);
    count = 64;
    NVML(nvmlDeviceGetComputeRunningProcesses_v3, device, &count, processes);
    for (int i = 0; i < count; i++)
        own += processes[i].process == getpid() && processes[i].usedBytes >= 64 << 20;
    CHECK(own == 1);
    MUST(cuMemFree_v2(taken));
    NVML(nvmlDeviceGetMemoryInfo, device, &after);
    CHECK(after.used == before.used);
}

/* CUDA comes first, and has opened the session; and the other way round. */
static void loaded_late(void) {
    begin_cuda();
    CHECK(library == NULL);
    first_device();
}

static void loaded_first(void) {
    first_device();
    begin_cuda();
}

static void wrong_arguments(void) {
    nvmlDevice_t device = first_device(), other;
    char name[96];
    int count;
    CHECK(F(nvmlDeviceGetHandleByIndex_v2)(99, &other) == INVALID_ARGUMENT);
    CHECK(F(nvmlDeviceGetName)((nvmlDevice_t)(uintptr_t)12345, name, sizeof name) ==
          INVALID_ARGUMENT);
    CHECK(F(nvmlDeviceGetName)(NULL, name, sizeof name) == INVALID_ARGUMENT);
    CHECK(F(nvmlDeviceGetName)(device, name, 2) == INSUFFICIENT_SIZE);
    CHECK(F(nvmlDeviceGetCount_v2)(NULL) == INVALID_ARGUMENT);
    NVML(nvmlDeviceGetCount_v2, &count);
    CHECK(strcmp(F(nvmlErrorString)(0), F(nvmlErrorString)(1)) != 0);
}

/* What CUDA latches is told to CUDA. */
static void latched_elsewhere(void) {
    begin_cuda();
    nvmlDevice_t device = first_device();
    int index;
    CUresult posted = cuMemsetD8Async(0x10, 1, 16, NULL);
    for (int i = 0; i < 10; i++)
        NVML(nvmlDeviceGetIndex, device, &index);
    CHECK(posted != 0 || cuCtxSynchronize() != 0);
}

static void events(void) {
    nvmlEventSet_t set;
    nvmlEventData_t event;
    first_device();
    NVML(nvmlEventSetCreate, &set);
    CHECK(F(nvmlEventSetWait_v2)(set, &event, 20) == 10);
    NVML(nvmlEventSetFree, set);
    CHECK(F(nvmlEventSetFree)(set) == INVALID_ARGUMENT);
}

/* A process that has used only this library may fork; the child uses CUDA too. */
static void forked(void) {
    int status;
    first_device();
    pid_t child = fork();
    if (child == 0) {
        begin_cuda();
        first_device();
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    first_device();
}

static void nothing(void) {}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"list", list},
        {"uninitialised", uninitialised},
        {"places", places},
        {"topology", topology},
        {"same-devices", same_devices},
        {"memory-and-processes", memory_and_processes},
        {"loaded-late", loaded_late},
        {"loaded-first", loaded_first},
        {"wrong-arguments", wrong_arguments},
        {"latched-elsewhere", latched_elsewhere},
        {"events", events},
        {"forked", forked},
    };
    return run_case(cases, sizeof cases / sizeof *cases, nothing, argc, argv);
}
