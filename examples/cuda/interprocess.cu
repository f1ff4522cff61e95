// SPDX-License-Identifier: Apache-2.0
// Two processes work on one piece of device memory in turns: one has allocated it, the other has opened it by its name. Each waits
// on the device for the other's work, by an event that both have.
#include "runtime.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { COUNT = 50000, THREADS = 128, TURNS = 6 };

struct Names {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

__global__ void take_turn(unsigned *values, unsigned turn) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        values[i] = values[i] * 3 + turn;
}

static void exchange(ssize_t moved, size_t bytes) {
    if (moved != static_cast<ssize_t>(bytes)) {
        fprintf(stderr, "the other process has gone\n");
        exit(1);
    }
}

template <typename T>
static void tell(int other, const T &what) {
    exchange(write(other, &what, sizeof what), sizeof what);
}

template <typename T>
static T hear(int other) {
    T what;
    exchange(recv(other, &what, sizeof what, MSG_WAITALL), sizeof what);
    return what;
}

/* One's turns; the event tells the other's last work, then one's own. */
static void work(unsigned *values, cudaEvent_t event, int other, unsigned first) {
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (unsigned turn = first; turn < TURNS; turn += 2) {
        if (turn > 0)
            hear<char>(other);
        CHECK(cudaStreamWaitEvent(stream, event, 0));
        take_turn<<<(COUNT + THREADS - 1) / THREADS, THREADS, 0, stream>>>(values, turn);
        CHECK(cudaEventRecord(event, stream));
        tell(other, 'x');
    }
    CHECK(cudaStreamDestroy(stream));
}

static int open_and_work(int other) {
    Names names = hear<Names>(other);
    void *memory;
    cudaEvent_t event;
    CHECK(cudaIpcOpenMemHandle(&memory, names.memory, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&event, names.event));
    work(static_cast<unsigned *>(memory), event, other, 1);
    CHECK(cudaEventSynchronize(event));
    CHECK(cudaIpcCloseMemHandle(memory));
    CHECK(cudaEventDestroy(event));
    return 0;
}

static size_t wrong_values(const unsigned *input, const unsigned *output) {
    size_t wrong = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned expected = input[i];
        for (unsigned turn = 0; turn < TURNS; turn++)
            expected = expected * 3 + turn;
        wrong += output[i] != expected;
    }
    return wrong;
}

static size_t allocate_and_work(int other) {
    std::vector<unsigned> input(COUNT), output(COUNT);
    unsigned seed = 70;
    for (unsigned &value : input)
        value = next_random(&seed);
    unsigned *values = device_copy(input.data(), COUNT);
    cudaEvent_t event;
    Names names;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaIpcGetMemHandle(&names.memory, values));
    CHECK(cudaIpcGetEventHandle(&names.event, event));
    tell(other, names);
    work(values, event, other, 0);
    hear<char>(other);
    CHECK(cudaEventSynchronize(event));
    copy_back(output.data(), values, COUNT);
    CHECK(cudaEventDestroy(event));
    return wrong_values(input.data(), output.data());
}

int main() {
    int ends[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        perror("socketpair");
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        return open_and_work(ends[1]);
    }
    close(ends[1]);
    size_t wrong = allocate_and_work(ends[0]);
    bool failed = waitpid(child, &status, 0) != child || status != 0;
    return verdict("interprocess", device_name().text, "6 turns of two processes", wrong + failed);
}
