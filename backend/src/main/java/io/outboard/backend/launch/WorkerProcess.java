// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.code.CodeOrder;
import io.outboard.backend.system.Log;
import io.outboard.backend.worker.HandOver;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A worker as the daemon sees it: a process, and the connection over which it gets its client. */
public final class WorkerProcess {
  private static final int SIGNALLED = 128;
  private static final int NONE = -1;

  /** How long a worker may take to make room for what it is given. */
  private static final int TAKE_MS = 10_000;

  /** The status of a process that is no child of this one. */
  private static final int UNSEEN = -1;

  private final WorkerKind kind;
  // The worker, or the starter that waits for its end.
  private final ProcessHandle process;
  private final CompletableFuture<Integer> exit;
  private final OptionalInt user;
  // The worker; until it has connected what it is started by.
  private volatile ProcessHandle itself;
  // Kept open while the worker lives: it ends when this side does.
  private int connection = NONE;
  private boolean ended;

  private WorkerProcess(
      WorkerKind kind, ProcessHandle process, CompletableFuture<Integer> exit, OptionalInt user) {
    this.kind = kind;
    this.process = process;
    this.itself = process;
    this.exit = exit;
    this.user = user;
  }

  /**
   * A worker that has started.
   *
   * @param user that it will be, if not the daemon's
   */
  WorkerProcess(WorkerKind kind, Process process, OptionalInt user) {
    this(kind, process.toHandle(), process.onExit().thenApply(Process::exitValue), user);
  }

  /**
   * A worker that another daemon has started, and that is there.
   *
   * @throws IOException if it has ended meanwhile
   */
  static WorkerProcess takenOver(int process, OptionalInt user, int connection) throws IOException {
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    ProcessHandle handle =
        ProcessHandle.of(process).orElseThrow(() -> new IOException("it has ended"));
    WorkerProcess worker = new WorkerProcess(WorkerKind.PLAIN, handle, exit, user);
    worker.connected(connection, process);
    new ProcessWatch(process, () -> exit.complete(UNSEEN)).start();
    return worker;
  }

  /** The user that it is, if not the daemon's. */
  public OptionalInt user() {
    return user;
  }

  /** What it may do; of one that serves already nobody asks. */
  public WorkerKind kind() {
    return kind;
  }

  /** The worker's number, once it has connected; until then perhaps its starter's. */
  public long pid() {
    return itself.pid();
  }

  /** The number by which it was started. */
  long starter() {
    return process.pid();
  }

  /** The processes of which one is the worker, or becomes it. */
  public LongStream processes() {
    return kind == WorkerKind.PLAIN
        ? LongStream.of(pid())
        : Stream.concat(Stream.of(process), process.descendants()).mapToLong(ProcessHandle::pid);
  }

  /** The worker, a process of that number, has connected. */
  synchronized void connected(int descriptor, long worker) {
    itself = ProcessHandle.of(worker).orElse(process);
    connection = descriptor;
    Sockets.setTimeout(descriptor, TAKE_MS);
    if (ended) {
      disconnect();
    }
  }

  /** Gives it its client. A starter ends with this daemon unless it is told to outlive it. */
  public void handOver(HandOver handOver) throws IOException {
    write(
        worker -> {
          if (kind == WorkerKind.CONFINED && handOver.succession().isPresent()) {
            Processes.kill((int) process.pid(), Processes.SIGUSR1);
          }
          handOver.send(worker);
        });
  }

  /** Gives a worker of {@link WorkerKind#CODE} its client, and the code. */
  public void order(CodeOrder order) throws IOException {
    write(order::send);
  }

  /** Gives it one more descriptor, which stays open here. */
  public void give(HandOver.Further more) throws IOException {
    write(worker -> HandOver.sendMore(worker, more));
  }

  @FunctionalInterface
  private interface Writing {
    void to(int connection) throws IOException;
  }

  /**
   * A worker may have stopped itself, or be stopped. One that takes nothing for so long has no part
   * of a message either, so that it can be of no more use.
   */
  private synchronized void write(Writing what) throws IOException {
    if (connection == NONE) {
      throw new IOException("the worker has ended");
    }
    try {
      what.to(connection);
    } catch (IOException e) {
      stop();
      throw e;
    }
  }

  /** Runs {@code action} with the status once the process has ended, perhaps at once. */
  public void onExit(IntConsumer action) {
    CompletableFuture<Void> unused = exit.thenAccept(status -> exited(status, action));
  }

  private void exited(int status, IntConsumer action) {
    try {
      end();
      action.accept(status);
    } catch (RuntimeException e) {
      Log.failure("the end of a worker was not handled", e);
    }
  }

  private synchronized void end() {
    ended = true;
    disconnect();
  }

  private void disconnect() {
    if (connection != NONE) {
      Posix.close(connection);
      connection = NONE;
    }
  }

  /** Ends it, whatever it does; its starter, which is in no hurry, ends after it. */
  public void stop() {
    boolean unused = itself.destroyForcibly();
  }

  /** Describes an exit status in words. */
  public static String describe(int status) {
    if (status == UNSEEN) {
      return "which its first daemon would have seen how";
    }
    return status > SIGNALLED
        ? "killed by signal " + (status - SIGNALLED)
        : "with status " + status;
  }
}
