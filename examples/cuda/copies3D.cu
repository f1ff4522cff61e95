// SPDX-License-Identifier: Apache-2.0
// Copies and fills parts of boxes, whose rows are longer in memory than what they hold.
#include "runtime.h"

#include <vector>

enum { WIDTH = 100, HEIGHT = 37, DEPTH = 5 };

/* Each thread adds its place to the element there. */
__global__ void add_places(cudaPitchedPtr box, int width, int height, int depth) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    for (int layer = 0; column < width && row < height && layer < depth; layer++) {
        char *start = static_cast<char *>(box.ptr) + (layer * box.ysize + row) * box.pitch;
        reinterpret_cast<unsigned *>(start)[column] += (layer * height + row) * width + column;
    }
}

static cudaMemcpy3DParms copy_of(cudaPitchedPtr from, cudaPitchedPtr to, cudaExtent extent, cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = from;
    copy.dstPtr = to;
    copy.extent = extent;
    copy.kind = kind;
    return copy;
}

/* The middle of a box is filled on the device, moved up there, and copied back into a box of zeros. */
static size_t wrong_boxes() {
    std::vector<unsigned> input(WIDTH * HEIGHT * DEPTH), output(input.size());
    unsigned seed = 15;
    for (unsigned &value : input)
        value = next_random(&seed);
    cudaExtent whole = make_cudaExtent(WIDTH * sizeof(unsigned), HEIGHT, DEPTH);
    cudaExtent part = make_cudaExtent(8 * sizeof(unsigned), 6, 2);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, whole));
    cudaPitchedPtr from = make_cudaPitchedPtr(input.data(), WIDTH * sizeof(unsigned), WIDTH, HEIGHT);
    cudaPitchedPtr to = make_cudaPitchedPtr(output.data(), WIDTH * sizeof(unsigned), WIDTH, HEIGHT);
    cudaMemcpy3DParms in = copy_of(from, box, whole, cudaMemcpyHostToDevice);
    CHECK(cudaMemcpy3D(&in));
    add_places<<<dim3((WIDTH + 15) / 16, (HEIGHT + 15) / 16), dim3(16, 16)>>>(box, WIDTH, HEIGHT, DEPTH);
    CHECK(cudaGetLastError());
    cudaPitchedPtr corner = box;
    corner.ptr = static_cast<char *>(box.ptr) + 2 * box.ysize * box.pitch;
    CHECK(cudaMemset3D(corner, 0x5c, part));
    cudaMemcpy3DParms out = copy_of(box, to, make_cudaExtent(whole.width / 2, HEIGHT - 1, DEPTH - 1), cudaMemcpyDeviceToHost);
    out.srcPos = make_cudaPos(4 * sizeof(unsigned), 1, 1);
    out.dstPos = make_cudaPos(0, 0, 1);
    CHECK(cudaMemcpy3D(&out));
    CHECK(cudaFree(box.ptr));

    size_t wrong = 0;
    for (int layer = 0; layer < DEPTH; layer++)
        for (int row = 0; row < HEIGHT; row++)
            for (int column = 0; column < WIDTH; column++) {
                unsigned expected = 0;
                if (layer > 0 && row < HEIGHT - 1 && column < WIDTH / 2) {
                    int c = column + 4, r = row + 1, i = (layer * HEIGHT + r) * WIDTH + c;
                    bool filled = layer >= 2 && layer < 4 && r < 6 && c < 8;
                    expected = filled ? 0x5c5c5c5c : input[i] + i;
                }
                wrong += output[(layer * HEIGHT + row) * WIDTH + column] != expected;
            }
    return wrong;
}

int main() {
    size_t wrong = wrong_boxes();
    return verdict("copies3D", device_name().text, "parts of boxes", wrong);
}
