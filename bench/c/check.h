/* SPDX-License-Identifier: Apache-2.0
 * Ends a benchmark program at a result that is not success, of CUDA's or OpenCL's functions. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

static inline void check(int result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "%s: error %d\n", what, result);
        exit(1);
    }
}

#endif
