/* SPDX-License-Identifier: Apache-2.0
 *
 * The product of two square matrices, with two levels of parallelism: each rank multiplies some of
 * the rows, and its GPU multiplies the tiles of these. Rank 0 has the matrices; rows and product go
 * as messages. 'matrices cpu EDGE' multiplies on the processor.
 */
#include "../../cuda/kernels/matrixMul.h"
#include "../../cuda/driver/driver.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

EMBED(image, KERNELS "/matrixMul.ptx");

enum { TAG = 1, ROUNDS = 2 };

/* Seconds of each phase; every rank has ended one when the next begins. */
enum { SPREAD, UPLOAD, MULTIPLY, DOWNLOAD, COLLECT, PHASES };

static int rank, ranks, edge, rows;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double phase_ends(double began, double *seconds) {
    MPI_Barrier(MPI_COMM_WORLD);
    *seconds = now() - began;
    return now();
}

static void spread(float *a, float *b, float *mine) {
    MPI_Bcast(b, edge * edge, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        MPI_Recv(mine, rows * edge, MPI_FLOAT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    memcpy(mine, a, sizeof(float) * (size_t)rows * (size_t)edge);
    for (int to = 1; to < ranks; to++)
        MPI_Send(a + (size_t)to * (size_t)rows * (size_t)edge, rows * edge, MPI_FLOAT, to, TAG,
                 MPI_COMM_WORLD);
}

static void collect(const float *mine, float *product) {
    if (rank != 0) {
        MPI_Send(mine, rows * edge, MPI_FLOAT, 0, TAG, MPI_COMM_WORLD);
        return;
    }
    memcpy(product, mine, sizeof(float) * (size_t)rows * (size_t)edge);
    for (int from = 1; from < ranks; from++)
        MPI_Recv(product + (size_t)from * (size_t)rows * (size_t)edge, rows * edge, MPI_FLOAT, from,
                 TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Row by row of b, so that the inner loop is one of vectors. */
static void multiply_here(const float *a, const float *b, float *product) {
    memset(product, 0, sizeof(float) * (size_t)rows * (size_t)edge);
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < edge; i++)
            for (int column = 0; column < edge; column++)
                product[row * edge + column] += a[row * edge + i] * b[i * edge + column];
}

typedef struct {
    device opened;
    CUfunction function;
    CUdeviceptr a, b, product;
} gpu;

static gpu open_gpu(void) {
    gpu g = {.opened = open_device(image)};
    size_t whole = sizeof(float) * (size_t)edge * (size_t)edge, part = whole / (size_t)ranks;
    g.function = kernel(&g.opened, "matrixMul");
    g.a = device_memory(part);
    g.b = device_memory(whole);
    g.product = device_memory(part);
    return g;
}

static void close_gpu(gpu *g) {
    CHECK(cuMemFree_v2(g->a));
    CHECK(cuMemFree_v2(g->b));
    CHECK(cuMemFree_v2(g->product));
    close_device(&g->opened);
}

static double multiply_there(gpu *g, const float *a, const float *b, float *product, double began,
                             double *seconds) {
    size_t whole = sizeof(float) * (size_t)edge * (size_t)edge, part = whole / (size_t)ranks;
    void *parameters[] = {&g->a, &g->b, &g->product, &edge, &edge};
    CHECK(cuMemcpyHtoD_v2(g->a, a, part));
    CHECK(cuMemcpyHtoD_v2(g->b, b, whole));
    CHECK(cuCtxSynchronize());
    began = phase_ends(began, &seconds[UPLOAD]);
    CHECK(cuLaunchKernel(g->function, (unsigned)(edge / TILE), (unsigned)(rows / TILE), 1, TILE,
                         TILE, 1, 0, NULL, parameters, NULL));
    CHECK(cuCtxSynchronize());
    began = phase_ends(began, &seconds[MULTIPLY]);
    CHECK(cuMemcpyDtoH_v2(product, g->product, part));
    return phase_ends(began, &seconds[DOWNLOAD]);
}

static int say(const char *name, const double *seconds, size_t wrong) {
    double all = 0;
    for (int phase = 0; phase < PHASES; phase++)
        all += seconds[phase];
    double messages = seconds[SPREAD] + seconds[COLLECT],
           copies = seconds[UPLOAD] + seconds[DOWNLOAD];
    printf("%d ranks, edge %d, %s: %.3f s, multiplying %.3f, messages %.3f (%.0f %%), copies to "
           "and from GPUs %.3f (%.0f %%), %s\n",
           ranks, edge, name, all, seconds[MULTIPLY], messages, 100 * messages / all, copies,
           100 * copies / all, wrong == 0 ? "right" : "WRONG");
    return wrong != 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int here = argc == 3 && strcmp(argv[1], "cpu") == 0;
    edge = argc == 3 ? atoi(argv[2]) : 0;
    if (edge <= 0 || edge > 8192 || edge % (TILE * ranks) != 0) {
        fprintf(stderr, "usage: matrices cpu|gpu EDGE, a multiple of %d times the ranks\n", TILE);
        return 2;
    }
    rows = edge / ranks;
    size_t count = (size_t)edge * (size_t)edge;
    float *a = allocate(sizeof(float) * count), *b = allocate(sizeof(float) * count),
          *product = allocate(sizeof(float) * count);
    float *mine = allocate(sizeof(float) * count / (size_t)ranks),
          *mine_product = allocate(sizeof(float) * count / (size_t)ranks);
    if (rank == 0) {
        fill_floats(a, count, 3);
        fill_floats(b, count, 4);
    }
    gpu g = {.opened.name = "processor"};
    if (!here)
        g = open_gpu();
    double seconds[PHASES];
    /* The first round is not measured: code is compiled then. */
    for (int round = 0; round < ROUNDS; round++) {
        memset(seconds, 0, sizeof seconds);
        memset(product, 0, sizeof(float) * count);
        double unused, began = phase_ends(0, &unused);
        spread(a, b, mine);
        began = phase_ends(began, &seconds[SPREAD]);
        if (here) {
            multiply_here(mine, b, mine_product);
            began = phase_ends(began, &seconds[MULTIPLY]);
        } else {
            began = multiply_there(&g, mine, b, mine_product, began, seconds);
        }
        collect(mine_product, product);
        phase_ends(began, &seconds[COLLECT]);
    }
    int status = rank == 0
                     ? say(g.opened.name, seconds, wrong_products(a, b, product, edge, edge, edge))
                     : 0;
    if (!here)
        close_gpu(&g);
    MPI_Finalize();
    return status;
}
