// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.DispatcherForwarding;
import io.outboard.backend.library.LoggedCall;
import io.outboard.gl.GlResult;
import io.outboard.wire.Call;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * A thread for each of the client's threads: EGL keys the current context to the thread of the
 * operating system, and a client's calls are read by whichever thread has its turn.
 *
 * <p>A call of one thread begins when the calls that others have posted before it are over, as it
 * is where calls are made by who reads them.
 */
final class AffineThreads extends DispatcherForwarding implements AutoCloseable {
  /**
   * Most threads of one client with a context of their own. Each posted call of each on its way has
   * a mapping of memory, of which the kernel permits a process 65,530.
   */
  static final int MOST = 64;

  private final Map<Integer, AffineThread> members = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** {@code calls} makes a call on the executing thread. */
  AffineThreads(Dispatcher calls) {
    super(calls);
  }

  @Override
  public int dispatch(int number, Call call) {
    LoggedCall its = (LoggedCall) call;
    AffineThread member = member(its.thread());
    if (member == null) {
      return GlResult.BAD_ALLOC;
    }
    drainOthers(member);
    if (answering(number) == ASYNC && !isAnswered(call) && PostedCall.fits(its)) {
      member.post(number, its);
      return GlResult.SUCCESS;
    }
    return member.run(number, its);
  }

  /**
   * Does something on the thread that is a client's thread's own.
   *
   * @param noRoom the result where there is no thread for it
   */
  int run(int thread, IntSupplier work, int noRoom) {
    AffineThread member = member(thread);
    if (member == null) {
      return noRoom;
    }
    drainOthers(member);
    return member.run(work);
  }

  private void drainOthers(AffineThread member) {
    if (members.size() > 1) {
      members.values().stream().filter(other -> other != member).forEach(AffineThread::drain);
    }
  }

  private AffineThread member(int thread) {
    AffineThread member = members.get(thread);
    if (member != null) {
      return member;
    }
    return members.size() >= MOST || closed
        ? null
        : members.computeIfAbsent(thread, client -> new AffineThread(delegate, client));
  }

  private static boolean isAnswered(Call call) {
    return (call.flags() & Frame.FLAG_ANSWER) != 0;
  }

  /** The client's thread has ended: its context is current to nobody any more. */
  void ended(int thread) {
    AffineThread member = members.remove(thread);
    if (member != null) {
      member.end();
    }
  }

  @Override
  public void close() {
    closed = true;
    members.keySet().forEach(this::ended);
  }
}
