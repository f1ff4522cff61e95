// SPDX-License-Identifier: Apache-2.0
package example;

import io.outboard.spec.*;

/**
 * Messages between ranks, by the MPI of the backends' machines: the MPI standard 3.1, in the ABI of Open MPI. A type, an operation
 * and a communicator travel as places in the lists of {@link HostMpi}. The bytes of a message lie in memory of the backend.
 */
@Library(name = "mpi", id = 201, soname = "libmpi.so.40",
    kinds = @Kind(id = Mpi.MESSAGE, name = "message", type = "mpi_message", holds = Holds.NOTHING, invalid = Mpi.ERR_REQUEST),
    results = @Results(invalidValue = Mpi.ERR_ARG, notSupported = 52, notInitialized = 16, unavailable = 17, outOfMemory = Mpi.ERR_NO_MEM))
public interface Mpi {
  int MESSAGE = 61, ERR_COUNT = 2, ERR_REQUEST = 7, ERR_ARG = 13, ERR_NO_MEM = 39;
  String OWN = "not a function of the vendor", ADDRESSES = "its handles are addresses of variables";

  @Call(1) @Blocking @Custom(value = "the arguments stay with the program", prototype = "int MPI_Init(int *argc, char ***argv)", binding = true)
  int MPI_Init();
  @Call(2) @Blocking int MPI_Finalize();
  @Call(3) @Cached @Custom(value = ADDRESSES, prototype = "int MPI_Comm_rank(void *in, int *rank)", binding = true)
  int MPI_Comm_rank(int in, @Out(Scalar.INT) long rank);
  @Call(4) @Cached @Custom(value = ADDRESSES, prototype = "int MPI_Comm_size(void *of, int *size)", binding = true)
  int MPI_Comm_size(int of, @Out(Scalar.INT) long size);
  @Call(5) @Blocking @Custom(value = ADDRESSES, prototype = "int MPI_Barrier(void *of)", binding = true)
  int MPI_Barrier(int of);
  @Call(6) @Async @Custom(value = OWN, binding = true)
  int outboardMessage(@Out(Scalar.LONG) @Handle(value = MESSAGE, life = Handle.Life.CREATE) long message, long bytes);
  @Call(7) @Async @Custom(value = OWN, binding = true)
  int outboardWrite(@Handle(MESSAGE) long message, @In(bytes = "bytes", advancing = "offset") long from, long offset, long bytes);
  @Call(8) @Custom(value = OWN, binding = true)
  int outboardRead(@Handle(MESSAGE) long message, @Out(bytes = "bytes", advancing = "offset") long to, long offset, long bytes);
  @Call(9) @Async @Custom(value = OWN, binding = true)
  int outboardEnd(@Handle(value = MESSAGE, life = Handle.Life.DESTROY) long message);
  String ISEND = "int MPI_Isend(const void *from, int count, void *type, int rank, int tag, void *in, void **request)";
  @Call(10) @Async @Custom(value = ADDRESSES, prototype = ISEND, binding = true)
  int MPI_Isend(@Handle(MESSAGE) long message, int type, int rank, int tag, int in);
  String IRECV = "int MPI_Irecv(void *to, int count, void *type, int rank, int tag, void *in, void **request)";
  @Call(11) @Async @Custom(value = ADDRESSES, prototype = IRECV, binding = true)
  int MPI_Irecv(@Handle(MESSAGE) long message, int type, int rank, int tag, int in);
  @Call(12) @Blocking @Custom(value = ADDRESSES, prototype = "int MPI_Wait(void **request, void *status)", binding = true)
  int MPI_Wait(@Handle(MESSAGE) long message, @Out(bytes = "24") long status);
  @Call(13) @Blocking
  @Custom(value = ADDRESSES, prototype = "int MPI_Bcast(void *data, int count, void *type, int root, void *in)", binding = true)
  int MPI_Bcast(@Handle(MESSAGE) long message, int type, int root, int in);
  String REDUCE = "int MPI_Reduce(const void *from, void *to, int count, void *type, void *operation, int root, void *in)";
  @Call(14) @Blocking @Custom(value = ADDRESSES, prototype = REDUCE, binding = true)
  int MPI_Reduce(@Handle(MESSAGE) long message, int type, int operation, int root, int in);
  String ALLREDUCE = "int MPI_Allreduce(const void *from, void *to, int count, void *type, void *operation, void *in)";
  @Call(15) @Blocking @Custom(value = ADDRESSES, prototype = ALLREDUCE, binding = true)
  int MPI_Allreduce(@Handle(MESSAGE) long message, int type, int operation, int in);
}
