// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Doorbells where no kernel serves both sides: a byte over the connection beside the region wakes
 * the peer. A byte does not say for whom it is, so one thread looks for all that sleep here.
 */
public final class StreamDoorbells implements Doorbell.Kind {
  private static final int BYTES = 64;

  private final int connection;
  private final long ownWord;
  private final MemorySegment bytes = Arena.ofAuto().allocate(BYTES);
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean left;

  /**
   * Those of one side.
   *
   * @param connection carries nothing else
   * @param ownWord where this side says what it waits for
   */
  public StreamDoorbells(int connection, long ownWord) {
    this.connection = connection;
    this.ownWord = ownWord;
  }

  @Override
  public Doorbell at(long word, long leastMs, long mostMs) {
    return word == ownWord ? new Own(word, mostMs) : new Others();
  }

  @Override
  public void leave() {
    turn.lock();
    try {
      left = true;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public boolean isSlow() {
    return true;
  }

  /** The peer's. Where there is no room, it has bytes that it has not looked at. */
  private final class Others implements Doorbell {
    @Override
    public void sleep(int expected) {
      throw new IllegalStateException("the word of the other side");
    }

    @Override
    public void ring() {
      if (!left) {
        int unused = Sockets.send(connection, bytes.address(), 1);
      }
    }
  }

  /** This side's. */
  private final class Own implements Doorbell {
    private final long word;
    private final long mostMs;

    Own(long word, long mostMs) {
      this.word = word;
      this.mostMs = mostMs;
    }

    @Override
    public void sleep(int expected) {
      try {
        boolean mine = turn.tryLock();
        // Another thread that took this one's byte has changed the word first.
        boolean rung = Shared.getInt(word) != expected;
        if (!mine && !rung) {
          awaitTurn();
        } else if (mine) {
          look(rung);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void awaitTurn() throws InterruptedException {
      if (turn.tryLock(mostMs, TimeUnit.MILLISECONDS)) {
        turn.unlock();
      }
    }

    private void look(boolean rung) {
      try {
        if (!rung && !left && Posix.poll(connection, Posix.POLLIN, (int) mostMs) > 0) {
          int unused = Sockets.receive(connection, bytes.address(), BYTES);
        }
      } finally {
        turn.unlock();
      }
    }

    /** The connection has been shut down first, which ends the sleep of the one that looks. */
    @Override
    public void ring() {}
  }
}
