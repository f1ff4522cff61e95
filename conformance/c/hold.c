/* SPDX-License-Identifier: Apache-2.0
 * Opens a context, prints "holding" and waits for a signal. usage: hold
 */
#include <cuda.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    CUcontext context;
    if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0 || cuCtxSynchronize() != 0)
        return 1;
    puts("holding");
    fflush(stdout);
    pause();
    return 0;
}
