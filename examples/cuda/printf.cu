// SPDX-License-Identifier: Apache-2.0
// Kernels print: all kinds of arguments, several threads, in the order of launches.
#include "runtime.h"

#include "capture.h"

#include <cstring>

__global__ void print_all(int number, double real, const char *name) {
    printf("%d %5d|%-5d|%05d %u %x %c %%\n", number, number, number, number, 3000000000u, 0xbeef, 'q');
    printf("%s %.3f %g %e %lld %p\n", "text", real, real, real, -1234567890123456789LL, static_cast<void *>(nullptr));
    printf("no arguments\n");
    printf("%s", name);
}

__global__ void print_places(int launch) {
    printf("launch %d block %d thread %d\n", launch, blockIdx.x, threadIdx.x);
}

/* How often `line` occurs. */
static size_t count(const std::string &text, const std::string &line) {
    size_t found = 0;
    for (size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1))
        found++;
    return found;
}

static std::string expected_of_all() {
    char text[512];
    snprintf(text, sizeof text, "%d %5d|%-5d|%05d %u %x %c %%\n%s %.3f %g %e %lld (nil)\nno arguments\nname\n", 42, 42, 42, 42, 3000000000u,
             0xbeef, 'q', "text", 2.5, 2.5, 2.5, -1234567890123456789LL);
    return text;
}

int main() {
    char *name = device_copy("name\n", 6);
    Capture capture(STDOUT_FILENO);
    print_all<<<1, 1>>>(42, 2.5, name);
    print_places<<<2, 3>>>(1);
    print_places<<<2, 3>>>(2);
    cudaError_t result = cudaDeviceSynchronize();
    std::string text = capture.text();
    CHECK(result);
    CHECK(cudaFree(name));

    size_t wrong = text.find(expected_of_all()) != 0;
    for (int launch = 1; launch <= 2; launch++)
        for (int block = 0; block < 2; block++)
            for (int thread = 0; thread < 3; thread++) {
                char line[100];
                snprintf(line, sizeof line, "launch %d block %d thread %d\n", launch, block, thread);
                wrong += count(text, line) != 1;
            }
    wrong += text.rfind("launch 1") > text.find("launch 2");
    if (wrong > 0)
        fprintf(stderr, "%s", text.c_str());
    return verdict("printf", device_name().text, "lines from kernels", wrong);
}
