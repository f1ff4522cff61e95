/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that knows MPI only: a ring, both ways of sending, and the collective functions. Built
 * with mpicc. Each rank checks what it gets; rank 0 says what all found.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 5, LARGE = 700000, ROUNDS = 20, TAG = 7 };

static int rank, ranks, wrong;

static void expect(int right) { wrong += !right; }

/* A token goes round, and each rank adds its own number. */
static void ring(void) {
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int round = 0; round < ROUNDS; round++) {
        long token[SMALL] = {round, 0, -1, 1L << 40, rank};
        MPI_Status status;
        if (rank == 0)
            MPI_Send(token, SMALL, MPI_LONG, next, TAG + round, MPI_COMM_WORLD);
        MPI_Recv(token, SMALL, MPI_LONG, before, TAG + round, MPI_COMM_WORLD, &status);
        expect(status.MPI_SOURCE == before && status.MPI_TAG == TAG + round);
        token[1] += rank;
        if (rank != 0)
            MPI_Send(token, SMALL, MPI_LONG, next, TAG + round, MPI_COMM_WORLD);
        else
            expect(token[0] == round && token[1] == (long)ranks * (ranks - 1) / 2 &&
                   token[3] == 1L << 40);
    }
}

/* Everybody sends to everybody's neighbour at once; more bytes than one frame has. */
static void exchange(void) {
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    double *out = malloc(sizeof(double[LARGE])), *in = calloc(LARGE, sizeof *in);
    MPI_Request requests[2];
    for (int i = 0; i < LARGE; i++)
        out[i] = rank * 1e6 + i;
    MPI_Irecv(in, LARGE, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, LARGE, MPI_DOUBLE, next, TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Status status;
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], &status);
    expect(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    expect(status.MPI_SOURCE == before && status.MPI_TAG == TAG);
    for (int i = 0; i < LARGE; i++)
        expect(in[i] == before * 1e6 + i);
    free(out);
    free(in);
}

/* A message may be shorter than the place for it: the bytes behind it stay as they were. */
static void shorter(void) {
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    unsigned char byte = (unsigned char)(rank + 1), place[SMALL] = {9, 9, 9, 9, 9};
    MPI_Request request;
    MPI_Isend(&byte, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request);
    MPI_Recv(place, SMALL, MPI_BYTE, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(place[0] == before + 1 && place[1] == 9 && place[SMALL - 1] == 9);
}

static void collective(void) {
    int root = ranks - 1;
    float *data = malloc(sizeof(float[LARGE]));
    for (int i = 0; i < LARGE; i++)
        data[i] = rank == root ? (float)i : -1;
    MPI_Bcast(data, LARGE, MPI_FLOAT, root, MPI_COMM_WORLD);
    for (int i = 0; i < LARGE; i++)
        expect(data[i] == (float)i);
    free(data);

    int mine[SMALL] = {rank, 1, -rank, 1 << rank, rank == 1}, all[SMALL] = {0},
        largest[SMALL] = {-5, -5, -5, -5, -5};
    MPI_Allreduce(mine, all, SMALL, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(all[0] == ranks * (ranks - 1) / 2 && all[1] == ranks && all[2] == -all[0] &&
           all[3] == (1 << ranks) - 1 && all[4] == (ranks > 1));
    MPI_Reduce(mine, largest, SMALL, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    expect(rank == root ? largest[0] == ranks - 1 && largest[2] == 0
                        : largest[0] == -5 && largest[2] == -5);
    MPI_Allreduce(MPI_IN_PLACE, mine, SMALL, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    expect(mine[1] == 1 && mine[3] == (1 << ranks) - 1);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int alone = -1;
    MPI_Comm_size(MPI_COMM_SELF, &alone);
    expect(alone == 1);
    ring();
    exchange();
    shorter();
    collective();
    int all = -1;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %d wrong\n", ranks, all);
    MPI_Finalize();
    return wrong != 0;
}
