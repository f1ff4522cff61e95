// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Handles;
import io.outboard.wire.Hosts;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Whose CUDA's things are, and in which context each thread is. A thread has a context of its own
 * with each host; one of these is the program's.
 */
final class CudaHosts implements Hosts {
  private static final Slot HERE = new Slot(0);

  private final List<RemoteHost> remotes;
  private final List<? extends CudaDriver> drivers;
  private final SlotOwners owners;
  private final HostLibraries libraries;

  /** Most devices of a host: a frontend knows no more. */
  static final int MOST_DEVICES = 64;

  // The program's number of each host's first device, and behind them how many there are.
  private final int[] first;
  private final List<LinkedHashSet<Long>> contexts = new ArrayList<>();
  private final ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);

  /** The program's context of a thread, 0 for none, and its host. */
  private static final class Current {
    private int host;
    private long context;
  }

  CudaHosts(List<RemoteHost> remotes, List<? extends CudaDriver> drivers) {
    this.remotes = remotes;
    this.drivers = drivers;
    this.owners = new SlotOwners(remotes);
    this.libraries = new HostLibraries(drivers);
    this.first = new int[drivers.size() + 1];
    for (int host = 0; host < drivers.size(); host++) {
      contexts.add(new LinkedHashSet<>());
      first[host + 1] = first[host] + devices(drivers.get(host));
    }
  }

  private static int devices(CudaDriver driver) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      boolean told =
          driver.cuInit(0) == CudaResult.SUCCESS
              && driver.cuDeviceGetCount(buffer.address()) == CudaResult.SUCCESS;
      return told ? Math.clamp(Native.getInt(buffer.address()), 0, MOST_DEVICES) : 0;
    }
  }

  int deviceCount() {
    return first[drivers.size()];
  }

  SlotOwners owners() {
    return owners;
  }

  /** Where a host is, for people; empty for this one. */
  String name(int host) {
    return host == 0 ? "" : remotes.get(host - 1).name();
  }

  HostLibraries libraries() {
    return libraries;
  }

  @Override
  public int ofHandle(long value) {
    int host = owners.ofHandle(value);
    return host == 0 && libraries.has(value) ? ANY : host;
  }

  @Override
  public long valueAt(int host, long handle) {
    return libraries.valueAt(host, handle);
  }

  @Override
  public int ofAddress(long address) {
    return owners.ofAddress(address);
  }

  @Override
  public int home(long address) {
    int host = owners.ofAddress(address);
    return host == 0 && !HERE.holds(address) ? current() : host;
  }

  @Override
  public int ofOrdinal(int ordinal) {
    for (int host = 0; host < drivers.size(); host++) {
      if (ordinal >= first[host] && ordinal < first[host + 1]) {
        return host;
      }
    }
    return ANY;
  }

  /** A pointer that is no device pointer of the program is none of the host either. */
  @Override
  public int hostOrdinal(int host, int ordinal) {
    if (ordinal < 0) {
      return ordinal;
    }
    return ofOrdinal(ordinal) == host ? ordinal - first[host] : Integer.MAX_VALUE;
  }

  @Override
  public int programOrdinal(int host, int ordinal) {
    return ordinal < 0 ? ordinal : ordinal + first[host];
  }

  @Override
  public int enter(int host) {
    int own = current.get().host;
    if (host == ANY || host == own) {
      return own;
    }
    int unused = makeCurrent(host, recent(host));
    return host;
  }

  /** The host of the thread's context. */
  int current() {
    return current.get().host;
  }

  /** Makes a call in a context of any host, then enters the thread's own again. */
  int in(long context, IntUnaryOperator call) {
    int host = Math.max(0, ofHandle(context));
    int entered = makeCurrent(host, context);
    int result = entered == CudaResult.SUCCESS ? call.applyAsInt(host) : entered;
    Current own = current.get();
    int back = makeCurrent(own.host, own.context);
    return result == CudaResult.SUCCESS ? back : result;
  }

  /** The thread's context, 0 for none. */
  long currentContext() {
    return current.get().context;
  }

  /** Makes a context the thread's; 0 for none. */
  int enterContext(long context) {
    int host = Math.max(0, ofHandle(context));
    Current own = current.get();
    own.host = host;
    own.context = context;
    if (context != 0) {
      used(host, context);
    }
    return makeCurrent(host, context);
  }

  /** The lane of a session is the index of its context; its backend makes that one current. */
  private int makeCurrent(int host, long context) {
    if (host == 0) {
      return drivers.getFirst().cuCtxSetCurrent(context);
    }
    remotes.get(host - 1).session().lane(context == 0 ? 0 : Handles.index(context));
    return CudaResult.SUCCESS;
  }

  private long recent(int host) {
    LinkedHashSet<Long> known = contexts.get(host);
    synchronized (known) {
      return known.isEmpty() ? 0 : known.getLast();
    }
  }

  private void used(int host, long context) {
    LinkedHashSet<Long> known = contexts.get(host);
    synchronized (known) {
      known.addLast(context);
    }
  }

  /** A context has ended. */
  void ended(long context) {
    LinkedHashSet<Long> known = contexts.get(Math.max(0, ofHandle(context)));
    synchronized (known) {
      known.remove(context);
    }
  }

  /** Another host is to end its links to others. */
  void dropLinks(int host) {
    remotes.get(host - 1).dropLinks();
  }

  @Override
  public int lied(int host) {
    return host == 0 ? CudaResult.INVALID_VALUE : remotes.get(host - 1).lied();
  }
}
