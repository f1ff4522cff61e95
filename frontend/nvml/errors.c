/* SPDX-License-Identifier: Apache-2.0
 *
 * Meanings of result codes (NVML API Reference, "nvmlReturn_t"), in our words.
 */
#include "nvml.remote.h"

/* By code; a code past the last but one is unknown. */
static const char *const meanings[] = {
    "Success",
    "The library is not initialized",
    "Invalid argument",
    "Not supported",
    "No permission",
    "Already initialized",
    "Not found",
    "Too little room for the answer",
    "A power cable is not attached",
    "The driver, or the backend that has it, cannot be used",
    "Timeout",
    "The driver has trouble with an interrupt",
    "The library was not found",
    "The library does not have this function",
    "The information memory of the device is corrupted",
    "The GPU is lost",
    "The GPU has to be reset first",
    "The operating system has blocked the request",
    "Driver and library are of different versions",
    "In use by another program",
    "Out of memory",
    "No data",
    "Not possible while errors are corrected",
    "Out of resources",
    "The frequency is not supported",
    "A structure is of a version that is not known",
    "Deprecated",
    "Not ready",
    "There is no GPU",
    "Not possible in this state",
    "The GPU cannot be reset so",
};

enum { MEANINGS = sizeof meanings / sizeof meanings[0] };

const char *nvmlErrorString(nvmlReturn_t result) {
    return result >= 0 && result < MEANINGS ? meanings[result] : "Unknown error";
}
