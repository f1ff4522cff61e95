// SPDX-License-Identifier: Apache-2.0
package example;

import static java.lang.foreign.ValueLayout.*;

import io.outboard.backend.library.*;
import io.outboard.wire.Native;
import java.io.*;
import java.lang.foreign.*;
import java.lang.invoke.*;
import java.util.Map;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The MPI of the worker's process, which is the rank that the launcher of its daemon gave it. */
public final class HostMpi extends MpiNative implements LibraryService {
  /** As in c/mpi.c. Anything else is the first of a list, which MPI refuses by its own error. */
  private static final String[] COMMUNICATORS = {"comm_null", "comm_world", "comm_self"};
  private static final String[] TYPES = ("datatype_null char signed_char unsigned_char byte short unsigned_short int unsigned long unsigned_long"
      + " long_long_int unsigned_long_long float double int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t").split(" ");
  private static final String[] OPERATIONS = "op_null op_sum op_prod op_max op_min op_land op_lor op_lxor op_band op_bor op_bxor".split(" ");
  /** A message begins with its request, 0 where none is outstanding; its data follow. */
  private static final long HEAD = 64, MOST_BYTES = 4L << 30, IN_PLACE = 1;
  private static final int THREAD_MULTIPLE = 3;
  private record Message(Arena arena, long bytes) {}
  private final Map<Long, Message> messages = new ConcurrentHashMap<>();
  private final AtomicLong held = new AtomicLong();
  private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();
  private FileOutputStream alive;
  private final long number = Arena.global().allocate(JAVA_INT).address();

  public HostMpi() { super(lookup(MpiTable.SONAME)); }

  @Override public String library() { return MpiTable.LIBRARY; }
  @Override public int number() { return MpiTable.ID; }
  @Override public long kinds() { return MpiTable.KINDS; }
  @Override public LibraryInstance open(SessionContext context) {
    return LibraryInstance.of(context, this, MpiDispatcher::new, MpiLogged.STRUCTURES, MpiLogged::new);
  }

  /** A call is made by whichever thread reads it. The program is told of errors, and the daemon's script of this process's end. */
  @Override public int MPI_Init() {
    int result = mpi("MPI_Init_thread", 0L, 0L, THREAD_MULTIPLE, number);
    try { alive = new FileOutputStream(System.getenv().getOrDefault("RANK_ALIVE", "/dev/null")); } catch (IOException e) { return ERR_ARG; }
    return result != 0 ? result : mpi("MPI_Comm_set_errhandler", communicator(1), variable("errors_return"));
  }
  @Override public int MPI_Comm_rank(int in, long rank) { return mpi("MPI_Comm_rank", communicator(in), rank); }
  @Override public int MPI_Comm_size(int of, long size) { return mpi("MPI_Comm_size", communicator(of), size); }
  @Override public int MPI_Barrier(int of) { return mpi("MPI_Barrier", communicator(of)); }
  @Override public int outboardMessage(long message, long bytes) {
    if (bytes < 0) { return ERR_COUNT; }
    if (bytes > MOST_BYTES - held.get()) { return ERR_NO_MEM; }
    Arena arena = Arena.ofShared();
    Native.putLong(message, arena.allocate(HEAD + bytes, HEAD).address());
    messages.put(Native.getLong(message), new Message(arena, bytes));
    held.addAndGet(HEAD + bytes);
    return 0;
  }
  @Override public int outboardWrite(long message, long from, long offset, long bytes) { return move(message, offset, bytes, from, message + HEAD + offset); }
  @Override public int outboardRead(long message, long to, long offset, long bytes) { return move(message, offset, bytes, message + HEAD + offset, to); }
  @Override public int outboardEnd(long message) {
    if (isOutstanding(message)) { return ERR_REQUEST; }
    Message ended = messages.remove(message);
    held.addAndGet(-HEAD - ended.bytes());
    ended.arena().close();
    return 0;
  }
  @Override public int MPI_Isend(long message, int type, int rank, int tag, int in) { return begin("MPI_Isend", message, type, rank, tag, in); }
  @Override public int MPI_Irecv(long message, int type, int rank, int tag, int in) { return begin("MPI_Irecv", message, type, rank, tag, in); }
  @Override public int MPI_Wait(long message, long status) {
    int result = isOutstanding(message) ? mpi("MPI_Wait", message, status) : ERR_REQUEST;
    Native.putLong(message, 0);
    return result;
  }
  @Override public int MPI_Bcast(long message, int type, int root, int in) {
    return mpi("MPI_Bcast", message + HEAD, count(message, type), type(type), root, communicator(in));
  }
  @Override public int MPI_Reduce(long message, int type, int operation, int root, int in) {
    int result = MPI_Comm_rank(in, number);
    long data = message + HEAD, from = Native.getInt(number) == root ? IN_PLACE : data;
    return result != 0 ? result : mpi("MPI_Reduce", from, data, count(message, type), type(type), operation(operation), root, communicator(in));
  }
  @Override public int MPI_Allreduce(long message, int type, int operation, int in) {
    return mpi("MPI_Allreduce", IN_PLACE, message + HEAD, count(message, type), type(type), operation(operation), communicator(in));
  }
  private int begin(String function, long message, int type, int rank, int tag, int in) {
    return isOutstanding(message) ? ERR_REQUEST
        : mpi(function, message + HEAD, count(message, type), type(type), rank, tag, communicator(in), message);
  }
  private static boolean isOutstanding(long message) { return Native.getLong(message) != 0; }
  private int move(long message, long offset, long bytes, long from, long to) {
    if (offset < 0 || bytes < 0 || offset > messages.get(message).bytes() - bytes) { return ERR_ARG; }
    Native.copy(from, to, bytes);
    return 0;
  }
  /** How many values a message has; none of a type that MPI refuses then. */
  private int count(long message, int type) {
    return mpi("MPI_Type_size", type(type), number) != 0 ? 0 : (int) (messages.get(message).bytes() / Native.getInt(number));
  }
  private static long communicator(int place) { return variable(COMMUNICATORS, place); }
  private static long type(int place) { return variable(TYPES, place); }
  private static long operation(int place) { return variable(OPERATIONS, place); }
  private static long variable(String[] names, int place) { return variable(names[place < 0 || place >= names.length ? 0 : place]); }
  private static long variable(String name) { return lookup(MpiTable.SONAME).findOrThrow("ompi_mpi_" + name).address(); }
  private int mpi(String name, Object... arguments) {
    try {
      return (int) functions.computeIfAbsent(name, _ -> bind(name, arguments)).invokeExact(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
  private static MethodHandle bind(String name, Object[] arguments) {
    MemoryLayout[] types = Stream.of(arguments).map(value -> value instanceof Integer ? JAVA_INT : JAVA_LONG).toArray(MemoryLayout[]::new);
    return downcall(name, FunctionDescriptor.of(JAVA_INT, types)).asSpreader(Object[].class, types.length).asType(MethodType.methodType(int.class, Object[].class));
  }
}
