// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.Posix;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.share.Exchange;
import io.outboard.softgpu.share.ExchangeName;
import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Keeps the descriptors that a driver makes of memory, and has tickets travel in their place. Other
 * workers of this machine are given a descriptor for its ticket; the program of the ticket need not
 * know which worker has it.
 */
final class SharedDescriptors extends CudaDriverForwarding {
  /** Most descriptors of a session. */
  private static final int MOST = 1 << 16;

  private final Exchange exchange;
  private final Map<Bytes, Integer> byKey = new HashMap<>();
  private Bytes process;

  SharedDescriptors(CudaDriver delegate, Exchange exchange) {
    super(delegate);
    this.exchange = exchange;
  }

  @Override
  public int cuMemExportToShareableHandle(long handle, long allocation, int type, long flags) {
    return export(
        handle, type, made -> delegate.cuMemExportToShareableHandle(made, allocation, type, flags));
  }

  @Override
  public int cuMemPoolExportToShareableHandle(long handle, long pool, int type, long flags) {
    return export(
        handle, type, made -> delegate.cuMemPoolExportToShareableHandle(made, pool, type, flags));
  }

  private interface Maker {
    /** Has the driver write a descriptor to an address; its result. */
    int make(long to);
  }

  private int export(long ticket, int type, Maker maker) {
    if (type != FILE_DESCRIPTOR || ticket == 0) {
      return ticket == 0 ? CudaResult.INVALID_VALUE : CudaResult.NOT_SUPPORTED;
    }
    try (Arena arena = Arena.ofConfined()) {
      long made = arena.allocate(Long.BYTES, Long.BYTES).address();
      int result = maker.make(made);
      return result == CudaResult.SUCCESS ? keep(Native.getInt(made), ticket) : result;
    }
  }

  private int keep(int descriptor, long ticket) {
    try {
      ExchangeName name = keep(descriptor);
      if (name != null) {
        name.write(ticket);
        return CudaResult.SUCCESS;
      }
    } catch (IOException e) {
      Log.warn("memory cannot be handed to other processes: " + e.getMessage());
    }
    end(descriptor);
    return CudaResult.OUT_OF_MEMORY;
  }

  /** The name of a descriptor; null if there are too many. */
  private synchronized ExchangeName keep(int descriptor) throws IOException {
    if (process == null) {
      process = exchange.open(this::grant);
    }
    if (byKey.size() >= MOST) {
      return null;
    }
    Bytes key = ExchangeName.newKey();
    byKey.put(key, descriptor);
    return new ExchangeName(ExchangeName.Kind.DESCRIPTOR, process, key);
  }

  private void end(int descriptor) {
    int unused = delegate.outboardShareEnd(descriptor);
    Posix.close(descriptor);
  }

  private Exchange.Grant grant(byte[] request) {
    ExchangeName name = ExchangeName.of(request, ExchangeName.Kind.DESCRIPTOR);
    int descriptor = name == null ? -1 : copy(name.key());
    return descriptor < 0
        ? null
        : new Exchange.Grant(new byte[Exchange.ANSWER], descriptor, () -> Posix.close(descriptor));
  }

  /** A descriptor of what a key stands for, however long that lasts; negative if there is none. */
  private synchronized int copy(Bytes key) {
    Integer descriptor = byKey.get(key);
    return descriptor == null ? -1 : Posix.fcntl(descriptor, Posix.F_DUPFD_CLOEXEC, 0);
  }

  private synchronized boolean isOwn(ExchangeName name) {
    return name.process().equals(process);
  }

  @Override
  public int cuMemImportFromShareableHandle(long allocation, long handle, int type) {
    return use(
        handle,
        type,
        descriptor -> delegate.cuMemImportFromShareableHandle(allocation, descriptor, type));
  }

  @Override
  public int cuMemPoolImportFromShareableHandle(long pool, long handle, int type, long flags) {
    return use(
        handle,
        type,
        descriptor -> delegate.cuMemPoolImportFromShareableHandle(pool, descriptor, type, flags));
  }

  /** Has the driver use the descriptor of a ticket; it is of no more use afterwards. */
  private int use(long ticket, int type, IntUnaryOperator driver) {
    if (type != FILE_DESCRIPTOR) {
      return CudaResult.NOT_SUPPORTED;
    }
    ExchangeName name = ticket == 0 ? null : ExchangeName.at(ticket, ExchangeName.Kind.DESCRIPTOR);
    int descriptor = name == null ? -1 : resolve(name);
    if (descriptor < 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      return driver.applyAsInt(descriptor);
    } finally {
      Posix.close(descriptor);
    }
  }

  /** A descriptor for a name, of whichever worker; negative if nobody has it any more. */
  private int resolve(ExchangeName name) {
    if (isOwn(name)) {
      return copy(name.key());
    }
    try (Exchange.Answer answer = exchange.ask(name.process(), name.toArray())) {
      return answer.descriptor();
    } catch (IOException gone) {
      return -1;
    }
  }

  /** It is no mistake to end what has ended. */
  @Override
  public int outboardShareEnd(long handle) {
    ExchangeName name = handle == 0 ? null : ExchangeName.at(handle, ExchangeName.Kind.DESCRIPTOR);
    Integer ended = name != null && isOwn(name) ? forget(name.key()) : null;
    if (ended != null) {
      end(ended);
    }
    return CudaResult.SUCCESS;
  }

  private synchronized Integer forget(Bytes key) {
    return byKey.remove(key);
  }
}
