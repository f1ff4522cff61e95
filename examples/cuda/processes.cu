// SPDX-License-Identifier: Apache-2.0
// Several processes use the device at once; none sees what another does, and one that fails does not disturb the others.
#include "runtime.h"

#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { PROCESSES = 4, COUNT = 10000, THREADS = 128, ROUNDS = 10, FAILING = 2 };

__device__ unsigned rounds;

__global__ void work(unsigned *values, unsigned factor) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        values[i] = values[i] * factor + 1;
    if (i == 0)
        rounds++;
}

/* The library's message about the failure is not for the user. */
static void provoke_failure() {
    if (freopen("/dev/null", "w", stderr) == NULL)
        exit(1);
    work<<<1, THREADS>>>(nullptr, 1);
    if (cudaDeviceSynchronize() == cudaSuccess)
        exit(1);
    exit(0);
}

/* The work of one process; returns the number of wrong results. */
static size_t work_of(unsigned process) {
    std::vector<unsigned> values(COUNT), results(COUNT);
    unsigned seed = 60 + process, seen = 0;
    for (unsigned &value : values)
        value = next_random(&seed);
    unsigned *device_values = device_copy(values.data(), COUNT);
    for (int round = 0; round < ROUNDS; round++)
        work<<<(COUNT + THREADS - 1) / THREADS, THREADS>>>(device_values, process + 3);
    copy_back(results.data(), device_values, COUNT);
    CHECK(cudaMemcpyFromSymbol(&seen, rounds, sizeof seen));
    CHECK(cudaFree(device_values));
    size_t wrong = seen != ROUNDS;
    for (unsigned i = 0; i < COUNT; i++) {
        for (int round = 0; round < ROUNDS; round++)
            values[i] = values[i] * (process + 3) + 1;
        wrong += results[i] != values[i];
    }
    return wrong;
}

int main() {
    for (unsigned process = 0; process < PROCESSES; process++) {
        pid_t child = fork();
        if (child < 0) {
            perror("fork");
            return 1;
        }
        if (child == 0) {
            if (process == FAILING)
                provoke_failure();
            exit(work_of(process) != 0);
        }
    }
    size_t wrong = 0;
    for (unsigned process = 0; process < PROCESSES; process++) {
        int status;
        wrong += wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    return verdict("processes", device_name().text, "4 processes, one of which fails", wrong);
}
