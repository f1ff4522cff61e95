/* SPDX-License-Identifier: Apache-2.0
 *
 * The handles of Open MPI's ABI are the addresses of variables, of which programs may have copies:
 * the sizes are Open MPI's, and nobody looks inside.
 */
#include "mpi.remote.h"

#include <stdlib.h>

#define IN_PLACE ((void *)1)
/* With the sizes of types' values, in the order of HostMpi's lists. */
#define COMMUNICATORS(X) X(comm_null, 0) X(comm_world, 0) X(comm_self, 0)
#define TYPES(X)                                                                                   \
    X(datatype_null, 0) X(char, 1) X(signed_char, 1) X(unsigned_char, 1) X(byte, 1) X(short, 2)    \
    X(unsigned_short, 2) X(int, 4) X(unsigned, 4) X(long, 8) X(unsigned_long, 8)                   \
    X(long_long_int, 8) X(unsigned_long_long, 8) X(float, 4) X(double, 8) X(int8_t, 1)             \
    X(uint8_t, 1) X(int16_t, 2) X(uint16_t, 2) X(int32_t, 4) X(uint32_t, 4) X(int64_t, 8)          \
    X(uint64_t, 8)
#define OPERATIONS(X)                                                                              \
    X(op_null, 0) X(op_sum, 0) X(op_prod, 0) X(op_max, 0) X(op_min, 0) X(op_land, 0) X(op_lor, 0)  \
    X(op_lxor, 0) X(op_band, 0) X(op_bor, 0) X(op_bxor, 0)
#define SMALL(NAME, SIZE) OB_API char ompi_mpi_##NAME[512];
#define LARGE(NAME, SIZE) OB_API char ompi_mpi_##NAME[2048];
#define ROW(NAME, SIZE) {ompi_mpi_##NAME, SIZE},
COMMUNICATORS(SMALL) TYPES(SMALL) OPERATIONS(LARGE)
OB_API char ompi_request_null[256];
struct row { void *handle; int64_t size; };
static const struct row communicators[] = {COMMUNICATORS(ROW){NULL, 0}};
static const struct row types[] = {TYPES(ROW){NULL, 0}};
static const struct row operations[] = {OPERATIONS(ROW){NULL, 0}};
/* An MPI_Status, and what a program's MPI_Request points to. */
struct status { int source, tag, error, cancelled; int64_t bytes; };
struct request { mpi_message message; void *to; int64_t bytes; };

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_mpi); }

static int place(const struct row *rows, const void *handle) {
    for (int i = 0; rows[i].handle != NULL; i++)
        if (rows[i].handle == handle)
            return i;
    return 0;
}
static int communicator(const void *handle) { return place(communicators, handle); }
static int type_of(const void *handle) { return place(types, handle); }
static int64_t size(int count, const void *type) { return count * types[type_of(type)].size; }
/* Errors are fatal where a program sets no handler, which it cannot here. */
static int done(const char *function, int result) {
    if (result == 0)
        return 0;
    ob_warn("%s: error %d of MPI ends the program", function, result);
    exit(1);
}
/* A message on the backend's machine, with the program's bytes if it has any. Posted: the next call
 * has the error. */
static mpi_message begin(const void *from, int64_t bytes) {
    mpi_message to = NULL;
    remote_outboardMessage(&to, bytes, 0);
    if (from != NULL && bytes > 0)
        remote_outboardWrite(to, from, 0, bytes, 0);
    return to;
}
/* Ends it, after its first bytes have come to the program, if there is a place for them. */
static int end(const char *function, int result, mpi_message from, void *to, int64_t bytes) {
    if (result == 0 && to != NULL && bytes > 0)
        result = remote_outboardRead(from, to, 0, bytes, 0);
    remote_outboardEnd(from, 0);
    return done(function, result);
}
static void *outstanding(mpi_message message, void *to, int64_t bytes) {
    struct request *request = malloc(sizeof *request);
    done("MPI_Request", request == NULL ? ob_mpi.out_of_memory : 0);
    *request = (struct request){message, to, bytes};
    return request;
}
int MPI_Init(int *argc, char ***argv) {
    return (void)argc, (void)argv, done("MPI_Init", remote_MPI_Init(0));
}
int MPI_Comm_rank(void *in, int *rank) {
    return done("MPI_Comm_rank", remote_MPI_Comm_rank(communicator(in), rank, 0));
}
int MPI_Comm_size(void *of, int *ranks) {
    return done("MPI_Comm_size", remote_MPI_Comm_size(communicator(of), ranks, 0));
}
int MPI_Barrier(void *of) { return done("MPI_Barrier", remote_MPI_Barrier(communicator(of), 0)); }

int MPI_Isend(const void *from, int count, void *type, int rank, int tag, void *in,
              void **request) {
    mpi_message sent = begin(from, size(count, type));
    *request = outstanding(sent, NULL, 0);
    return done("MPI_Isend", remote_MPI_Isend(sent, type_of(type), rank, tag, communicator(in), 0));
}
int MPI_Irecv(void *to, int count, void *type, int rank, int tag, void *in, void **request) {
    mpi_message received = begin(NULL, size(count, type));
    *request = outstanding(received, to, size(count, type));
    return done("MPI_Irecv",
                remote_MPI_Irecv(received, type_of(type), rank, tag, communicator(in), 0));
}
int MPI_Wait(void **request, void *status) {
    struct status got = {.source = -1, .tag = -1}, *to = status;
    struct request *waited = *request;
    if ((void *)waited != ompi_request_null) {
        int result = remote_MPI_Wait(waited->message, &got, 0);
        end("MPI_Wait", result, waited->message, waited->to,
            got.bytes < waited->bytes ? got.bytes : waited->bytes);
        free(waited);
    }
    *request = ompi_request_null;
    if (to != NULL)
        *to = (struct status){got.source, got.tag, to->error, got.cancelled, got.bytes};
    return 0;
}
OB_API int MPI_Send(const void *from, int count, void *type, int rank, int tag, void *in) {
    void *request;
    return MPI_Isend(from, count, type, rank, tag, in, &request) | MPI_Wait(&request, NULL);
}
OB_API int MPI_Recv(void *to, int count, void *type, int rank, int tag, void *in, void *status) {
    void *request;
    return MPI_Irecv(to, count, type, rank, tag, in, &request) | MPI_Wait(&request, status);
}
int MPI_Bcast(void *data, int count, void *type, int root, void *in) {
    int rank = 0, sends = MPI_Comm_rank(in, &rank) == 0 && rank == root;
    mpi_message all = begin(sends ? data : NULL, size(count, type));
    int result = remote_MPI_Bcast(all, type_of(type), root, communicator(in), 0);
    return end("MPI_Bcast", result, all, sends ? NULL : data, size(count, type));
}
int MPI_Reduce(const void *from, void *to, int count, void *type, void *operation, int root,
               void *in) {
    mpi_message all = begin(from == IN_PLACE ? to : from, size(count, type));
    int rank = 0, result = remote_MPI_Reduce(all, type_of(type), place(operations, operation), root,
                                             communicator(in), 0);
    MPI_Comm_rank(in, &rank);
    return end("MPI_Reduce", result, all, rank == root ? to : NULL, size(count, type));
}
int MPI_Allreduce(const void *from, void *to, int count, void *type, void *operation, void *in) {
    mpi_message all = begin(from == IN_PLACE ? to : from, size(count, type));
    int result =
        remote_MPI_Allreduce(all, type_of(type), place(operations, operation), communicator(in), 0);
    return end("MPI_Allreduce", result, all, to, size(count, type));
}
