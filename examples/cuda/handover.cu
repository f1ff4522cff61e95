// SPDX-License-Identifier: Apache-2.0
// One thread posts copies, another launches what uses them: by turns on one stream, by events on two, and after a wait of the first.
#include "runtime.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

enum { TURNS = 50, COUNT = 2048, THREADS = 128 };

__global__ void add_up(const unsigned *values, unsigned *sums) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = sums[i] * 3 + values[i];
}

/* Lets two threads take turns. */
class Turns {
  public:
    void await(int turn) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this, turn] { return now == turn; });
    }

    void pass() {
        std::lock_guard<std::mutex> lock(mutex);
        now++;
        changed.notify_all();
    }

  private:
    std::mutex mutex;
    std::condition_variable changed;
    int now = 0;
};

struct Shared {
    cudaStream_t copies, launches;
    cudaEvent_t copied, used;
    unsigned *values, *sums;
    std::vector<unsigned> input[2];
    Turns turns;
};

enum class Order { ONE_STREAM, EVENTS, WAIT };

static void fill(std::vector<unsigned> &values, unsigned turn) {
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = turn * 7919 + i;
}

static void post_copies(Shared &shared, Order order) {
    for (int turn = 0; turn < TURNS; turn++) {
        shared.turns.await(2 * turn);
        std::vector<unsigned> &input = shared.input[turn % 2];
        fill(input, turn);
        if (order == Order::EVENTS && turn > 0)
            CHECK(cudaStreamWaitEvent(shared.copies, shared.used, 0));
        CHECK(cudaMemcpyAsync(shared.values, input.data(), COUNT * sizeof(unsigned), cudaMemcpyHostToDevice, shared.copies));
        if (order == Order::EVENTS)
            CHECK(cudaEventRecord(shared.copied, shared.copies));
        if (order == Order::WAIT)
            CHECK(cudaStreamSynchronize(shared.copies));
        shared.turns.pass();
    }
}

static void post_launches(Shared &shared, Order order) {
    for (int turn = 0; turn < TURNS; turn++) {
        shared.turns.await(2 * turn + 1);
        if (order == Order::EVENTS)
            CHECK(cudaStreamWaitEvent(shared.launches, shared.copied, 0));
        add_up<<<COUNT / THREADS, THREADS, 0, shared.launches>>>(shared.values, shared.sums);
        CHECK(cudaGetLastError());
        if (order == Order::EVENTS)
            CHECK(cudaEventRecord(shared.used, shared.launches));
        if (order == Order::WAIT)
            CHECK(cudaStreamSynchronize(shared.launches));
        shared.turns.pass();
    }
    CHECK(cudaStreamSynchronize(shared.launches));
}

static size_t wrong_sums_of(const std::vector<unsigned> &sums) {
    size_t wrong = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned expected = 0;
        for (unsigned turn = 0; turn < TURNS; turn++)
            expected = expected * 3 + turn * 7919 + i;
        wrong += sums[i] != expected;
    }
    return wrong;
}

static size_t wrong_sums_in(Order order) {
    Shared shared;
    shared.input[0].resize(COUNT);
    shared.input[1].resize(COUNT);
    shared.values = device_memory<unsigned>(COUNT);
    shared.sums = device_memory<unsigned>(COUNT);
    CHECK(cudaMemset(shared.sums, 0, COUNT * sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamCreateWithFlags(&shared.copies, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&shared.launches, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&shared.copied, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&shared.used, cudaEventDisableTiming));
    cudaStream_t other = shared.launches;
    if (order == Order::ONE_STREAM)
        shared.launches = shared.copies;

    std::thread copier([&shared, order] { post_copies(shared, order); });
    std::thread launcher([&shared, order] { post_launches(shared, order); });
    copier.join();
    launcher.join();

    std::vector<unsigned> sums(COUNT);
    copy_back(sums.data(), shared.sums, COUNT);
    CHECK(cudaStreamDestroy(shared.copies));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaEventDestroy(shared.copied));
    CHECK(cudaEventDestroy(shared.used));
    CHECK(cudaFree(shared.values));
    CHECK(cudaFree(shared.sums));
    return wrong_sums_of(sums);
}

int main() {
    size_t wrong = wrong_sums_in(Order::ONE_STREAM) + wrong_sums_in(Order::EVENTS) + wrong_sums_in(Order::WAIT);
    return verdict("handover", device_name().text, "copies of one thread used by launches of another", wrong);
}
