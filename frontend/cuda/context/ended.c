/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of what the frontend knows of a context.
 */
#include "context/context.h"

void context_end(CUcontext context) {
    storage_end(context);
    managed_end(context);
    host_end(context);
    range_forget_context(&device_ranges, context);
    remember_end();
}
