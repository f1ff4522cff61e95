// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.communicator.stream.IdleStrategy;
import io.outboard.gl.vendor.VendorGl;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A thread for each of the client's threads: EGL keys the current context to the thread of the
 * operating system, and a client's calls are read by whichever thread has its turn.
 */
final class AffineThreads implements AutoCloseable {
  /** Most threads of one client with a context of their own. */
  static final int MOST = 256;

  /** The usual stack of a program's thread: shader compilers run on it. */
  private static final long STACK_BYTES = 8 << 20;

  private final Map<Integer, Member> members = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Runs a call of a client's thread on the thread that is its own, and waits for it.
   *
   * @return the result; none where the client has too many threads
   */
  Optional<Integer> run(int thread, IntSupplier call) {
    Member member = members.get(thread);
    if (member == null) {
      if (members.size() >= MOST || closed) {
        return Optional.empty();
      }
      member = members.computeIfAbsent(thread, Member::start);
    }
    return Optional.of(member.run(call));
  }

  /** The client's thread has ended: its context is current to nobody any more. */
  void ended(int thread) {
    Member member = members.remove(thread);
    if (member != null) {
      member.end();
    }
  }

  @Override
  public void close() {
    closed = true;
    members.keySet().forEach(this::ended);
  }

  /** One of them; one call at a time. */
  private static final class Member implements Runnable {
    private final IdleStrategy forCalls = IdleStrategy.withThread(this::isWanted);
    private final IdleStrategy forResults = IdleStrategy.withThread(this::isDone);
    private Thread thread;
    private volatile IntSupplier call;
    private volatile boolean done;
    private volatile boolean over;
    private volatile Thread caller;
    private int result;
    private Throwable failure;

    static Member start(int number) {
      Member member = new Member();
      member.thread =
          Thread.ofPlatform()
              .name("gl-" + number)
              .daemon(true)
              .stackSize(STACK_BYTES)
              .unstarted(member);
      member.thread.start();
      return member;
    }

    synchronized int run(IntSupplier next) {
      done = false;
      failure = null;
      caller = Thread.currentThread();
      call = next;
      LockSupport.unpark(thread);
      while (!done) {
        if (!forResults.pays()) {
          LockSupport.park(this);
        }
      }
      return result();
    }

    private int result() {
      switch (failure) {
        case null -> {
          return result;
        }
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      }
    }

    void end() {
      over = true;
      LockSupport.unpark(thread);
    }

    private boolean isDone() {
      return done;
    }

    private boolean isWanted() {
      return call != null || over;
    }

    @Override
    public void run() {
      while (call != null || !over) {
        IntSupplier now = call;
        if (now != null) {
          issue(now);
        } else if (!forCalls.pays()) {
          LockSupport.park(this);
        }
      }
      VendorGl.releaseThread();
    }

    private void issue(IntSupplier now) {
      try {
        result = now.getAsInt();
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      call = null;
      done = true;
      LockSupport.unpark(caller);
    }
  }
}
