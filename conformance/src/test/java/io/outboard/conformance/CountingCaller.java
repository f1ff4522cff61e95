// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.wire.Caller;
import io.outboard.wire.Frame;

/**
 * Counts a client's calls, and how often it waits for the backend: for a call, or for all that it
 * has asked for ahead. For one thread.
 */
final class CountingCaller implements Caller {
  private final Caller session;
  private int calls;
  private int roundTrips;
  private boolean asked;

  CountingCaller(Caller session) {
    this.session = session;
  }

  int calls() {
    return calls;
  }

  int roundTrips() {
    return roundTrips;
  }

  /** Counts from 0 again. */
  void begin() {
    calls = 0;
    roundTrips = 0;
  }

  @Override
  public Request begin(int library, int number, int fixed) {
    return new Counted(session.begin(library, number, fixed));
  }

  @Override
  public long mint(int kind) {
    return session.mint(kind);
  }

  @Override
  public void retire(long handle) {
    session.retire(handle);
  }

  @Override
  public int settle(int result) {
    roundTrips += asked ? 1 : 0;
    asked = false;
    return session.settle(result);
  }

  private final class Counted implements Request {
    private final Request request;

    Counted(Request request) {
      this.request = request;
    }

    @Override
    public long body() {
      return request.body();
    }

    @Override
    public void append(long address, long bytes) {
      request.append(address, bytes);
    }

    @Override
    public int send(int flags) {
      calls++;
      roundTrips += flags & Frame.FLAG_ANSWER;
      return request.send(flags);
    }

    @Override
    public int ask(int flags, long to, long bytes) {
      calls++;
      asked = true;
      return request.ask(flags, to, bytes);
    }

    @Override
    public long reply() {
      return request.reply();
    }

    @Override
    public int replyBytes() {
      return request.replyBytes();
    }
  }
}
