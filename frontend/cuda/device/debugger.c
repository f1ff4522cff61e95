/* SPDX-License-Identifier: Apache-2.0
 *
 * The debugger's interface, which debuggers find in the library by its symbols: functions, and
 * variables that they write in the stopped program. A GPU that is elsewhere cannot be debugged from
 * here, nor can its kernels be checked by a tool in this process. The functions refuse, the
 * variables stay as they are, and the program says why as soon as it initialises.
 */
#include "device/device.h"

#include <stdlib.h>

/* CUDBGResult: the requested interface is not available. */
enum { INCOMPATIBLE_API = 0x13, PATH_ROOM = 4096 };

#define EXPORTED extern __attribute__((visibility("default")))

/* ---- functions ------------------------------------------------------------------------------- */

static void refuse(void) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!ob_forked() && !atomic_flag_test_and_set(&said))
        ob_warn("cuda-gdb cannot debug kernels here, as they run on a GPU elsewhere: debug the "
                "program on the machine with the GPU");
}

static int32_t refuse_with_result(void) {
    refuse();
    return INCOMPATIBLE_API;
}

EXPORTED int32_t cudbgGetAPI(uint32_t major, uint32_t minor, uint32_t revision,
                             const void **interface);
EXPORTED int32_t cudbgGetAPIVersion(uint32_t *major, uint32_t *minor, uint32_t *revision);
EXPORTED int32_t cudbgMain(void);
EXPORTED void cudbgApiInit(uint32_t argument);
EXPORTED void cudbgApiAttach(void);
EXPORTED void cudbgApiDetach(void);
EXPORTED void cudbgReportDriverApiError(void);
EXPORTED void cudbgReportDriverInternalError(void);

int32_t cudbgGetAPI(uint32_t major, uint32_t minor, uint32_t revision, const void **interface) {
    (void)major, (void)minor, (void)revision;
    if (interface != NULL)
        *interface = NULL;
    return refuse_with_result();
}

int32_t cudbgGetAPIVersion(uint32_t *major, uint32_t *minor, uint32_t *revision) {
    (void)major, (void)minor, (void)revision;
    return refuse_with_result();
}

/* Its arguments do not matter. */
int32_t cudbgMain(void) { return refuse_with_result(); }
void cudbgApiInit(uint32_t argument) { (void)argument, refuse(); }
void cudbgApiAttach(void) { refuse(); }
void cudbgApiDetach(void) { refuse(); }

/* Places for breakpoints, which nothing here reaches. */
void cudbgReportDriverApiError(void) { refuse(); }
void cudbgReportDriverInternalError(void) { refuse(); }

/* ---- variables: of the sizes that debuggers write and read ----------------------------------- */

#define VARIABLE(type, name) EXPORTED volatile type name; volatile type name

VARIABLE(uint32_t, cudbgApiClientPid);
VARIABLE(uint32_t, cudbgApiClientRevision);
VARIABLE(uint32_t, cudbgAttachHandlerAvailable);
VARIABLE(uint32_t, cudbgDebuggerCapabilities);
VARIABLE(uint32_t, cudbgDebuggerInitialized);
VARIABLE(uint32_t, cudbgDetachSuspendedDevicesMask);
VARIABLE(uint32_t, cudbgEnableIntegratedMemcheck);
VARIABLE(uint32_t, cudbgEnableLaunchBlocking);
VARIABLE(uint32_t, cudbgEnablePreemptionDebugging);
VARIABLE(uint32_t, cudbgIpcFlag);
VARIABLE(uint32_t, cudbgReportDriverApiErrorFlags);
VARIABLE(uint32_t, cudbgResumeForAttachDetach);
VARIABLE(uint32_t, cudbgRpcEnabled);
VARIABLE(uint32_t, cudbgSessionId);
VARIABLE(uint32_t, cudbgUseExternalDebugger);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorCode);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorFuncNameAddr);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorFuncNameSize);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorNameAddr);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorNameSize);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorSource);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorStringAddr);
VARIABLE(uint64_t, cudbgReportedDriverApiErrorStringSize);
VARIABLE(uint64_t, cudbgReportedDriverInternalErrorCode);
EXPORTED volatile char cudbgInjectionPath[PATH_ROOM];
volatile char cudbgInjectionPath[PATH_ROOM];

/* ---- tools that wait for what a driver would begin at its initialisation --------------------- */

static bool is_debugged(void) {
    return cudbgIpcFlag != 0 || cudbgRpcEnabled != 0 || cudbgInjectionPath[0] != 0;
}

/* A variable of the environment that shows that a tool started the program. */
static const char *injecting_variable(void) {
    static const char *const names[] = {"NV_SANITIZER_INJECTION_PORT_BASE",
                                        "NV_SANITIZER_INJECTION_PORT_RANGE_BEGIN",
                                        "CUDA_INJECTION64_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != 0)
            return names[i];
    }
    return NULL;
}

void debugger_say(void) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const char *injecting = injecting_variable();
    if (is_debugged())
        refuse();
    if (injecting != NULL && !atomic_flag_test_and_set(&said))
        ob_warn("%s is set: nsys, ncu and compute-sanitizer cannot follow kernels here, as they "
                "run on a GPU elsewhere: run the tool on the machine with the GPU. Profilers in "
                "the program, such as torch.profiler, see them",
                injecting);
}
