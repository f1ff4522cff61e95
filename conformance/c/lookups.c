/* SPDX-License-Identifier: Apache-2.0
 * Asks for functions as a runtime does that starts. Standard input has a line each: name, version,
 * flags. Prints those that are not found, then "ok".
 */
#include <cuda.h>
#include <stdio.h>

int main(void) {
    char name[128];
    int version;
    unsigned flags;
    while (scanf("%127s %d %u", name, &version, &flags) == 3) {
        void *function = NULL;
        int status = 0;
        CUresult result = cuGetProcAddress_v2(name, &function, version, flags, &status);
        if (result != 0 || function == NULL)
            printf("%s %d %u: %d, status %d\n", name, version, flags, (int)result, status);
    }
    puts("ok");
    return 0;
}
