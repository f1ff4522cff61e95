// SPDX-License-Identifier: Apache-2.0
// Copies and fills parts of planes, whose rows are longer in memory than what they hold.
#include "runtime.h"

#include <vector>

enum { WIDTH = 100, HEIGHT = 37 };

/* A plane on the host; its rows lie close together. */
struct Plane {
    std::vector<unsigned char> bytes = std::vector<unsigned char>(WIDTH * HEIGHT);
    unsigned char &at(int column, int row) { return bytes[row * WIDTH + column]; }
};

static size_t wrong_planes() {
    Plane input, output, expected;
    fill_bytes(input.bytes.data(), input.bytes.size(), 14);
    void *first, *second;
    size_t pitch, second_pitch;
    CHECK(cudaMallocPitch(&first, &pitch, WIDTH, HEIGHT));
    CHECK(cudaMallocPitch(&second, &second_pitch, 2 * WIDTH, HEIGHT));
    CHECK(cudaMemset2D(second, second_pitch, 0xab, WIDTH, HEIGHT));
    CHECK(cudaMemcpy2D(first, pitch, input.bytes.data(), WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
    char *inner = static_cast<char *>(second) + 3 * second_pitch + 11;
    CHECK(cudaMemcpy2D(inner, second_pitch, first, pitch, 20, 10, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2D(output.bytes.data(), WIDTH, second, second_pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(first));
    CHECK(cudaFree(second));

    size_t wrong = pitch < WIDTH || second_pitch < 2 * WIDTH;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            bool copied = row >= 3 && row < 13 && column >= 11 && column < 31;
            wrong += output.at(column, row) != (copied ? input.at(column - 11, row - 3) : 0xab);
        }
    return wrong;
}

int main() {
    size_t wrong = wrong_planes();
    return verdict("copies2D", device_name().text, "parts of planes", wrong);
}
