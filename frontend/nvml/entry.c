/* SPDX-License-Identifier: Apache-2.0 */
#include "nvml.remote.h"

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_nvml); }
