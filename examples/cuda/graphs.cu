// SPDX-License-Identifier: Apache-2.0
// Work that is recorded once and run several times: a graph captured from two streams, and one made node by node.
#include "runtime.h"

#include <vector>

enum { COUNT = 4096, THREADS = 128, RUNS = 3 };

__global__ void scale(unsigned *values, unsigned factor) {
    values[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

__global__ void add(unsigned *values, const unsigned *others) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] += others[i];
}

/* The graphs copy inside the device; their data are brought there before, and fetched afterwards.
 * */
struct Arrays {
    std::vector<unsigned> host = std::vector<unsigned>(COUNT);
    unsigned *input = device_memory<unsigned>(COUNT), *values = device_memory<unsigned>(COUNT), *others = device_memory<unsigned>(COUNT);

    Arrays() {
        unsigned seed = 17;
        for (unsigned &value : host)
            value = next_random(&seed);
        bring();
    }

    ~Arrays() {
        CHECK(cudaFree(input));
        CHECK(cudaFree(values));
        CHECK(cudaFree(others));
    }

    void bring() { CHECK(cudaMemcpy(input, host.data(), COUNT * sizeof(unsigned), cudaMemcpyHostToDevice)); }

    /* How many of the results are not `factor` times the input, plus `more`. */
    size_t wrong(unsigned factor, unsigned more) const {
        std::vector<unsigned> results(COUNT);
        copy_back(results.data(), values, COUNT);
        size_t wrong = 0;
        for (unsigned i = 0; i < COUNT; i++)
            wrong += results[i] != host[i] * factor + more;
        return wrong;
    }
};

/* The second stream is taken in by an event of the first, and joins it by another. */
static cudaGraph_t capture(Arrays &arrays, cudaStream_t stream) {
    const size_t bytes = COUNT * sizeof(unsigned);
    cudaStream_t second;
    cudaEvent_t copied, filled;
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMemcpyAsync(arrays.values, arrays.input, bytes, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaEventRecord(copied, stream));
    CHECK(cudaStreamWaitEvent(second, copied, 0));
    CHECK(cudaMemsetAsync(arrays.others, 0x01, bytes, second));
    CHECK(cudaEventRecord(filled, second));
    scale<<<COUNT / THREADS, THREADS, 0, stream>>>(arrays.values, 3);
    CHECK(cudaStreamWaitEvent(stream, filled, 0));
    add<<<COUNT / THREADS, THREADS, 0, stream>>>(arrays.values, arrays.others);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaStreamDestroy(second));
    return graph;
}

static size_t wrong_of_captured() {
    Arrays arrays;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph = capture(arrays, stream);
    size_t nodes = 0, wrong = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    wrong += nodes != 4;
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (unsigned run = 0; run < RUNS; run++) {
        arrays.host[run] += 5;
        arrays.bring();
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        wrong += arrays.wrong(3, 0x01010101);
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaStreamDestroy(stream));
    return wrong;
}

static cudaKernelNodeParams scaling(void **arguments) {
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void *>(scale);
    parameters.gridDim = dim3(COUNT / THREADS);
    parameters.blockDim = dim3(THREADS);
    parameters.kernelParams = arguments;
    return parameters;
}

static void count_call(void *calls) {
    ++*static_cast<unsigned *>(calls);
}

/* Copied, scaled, and then a function of the host; the second run scales by another factor. */
static size_t wrong_of_made() {
    Arrays arrays;
    const size_t bytes = COUNT * sizeof(unsigned);
    unsigned factor = 7, calls = 0;
    void *arguments[] = {&arrays.values, &factor};
    cudaGraph_t graph;
    cudaGraphNode_t copy, kernel, call;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, arrays.values, arrays.input, bytes, cudaMemcpyDeviceToDevice));
    cudaKernelNodeParams parameters = scaling(arguments);
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &copy, 1, &parameters));
    cudaHostNodeParams host = {count_call, &calls};
    CHECK(cudaGraphAddHostNode(&call, graph, &kernel, 1, &host));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    size_t wrong = arrays.wrong(7, 0);

    factor = 11;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel, &parameters));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    wrong += arrays.wrong(11, 0) + (calls != 2);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    return wrong;
}

int main() {
    size_t wrong = wrong_of_captured() + wrong_of_made();
    return verdict("graphs", device_name().text, "a captured graph and one made node by node", wrong);
}
