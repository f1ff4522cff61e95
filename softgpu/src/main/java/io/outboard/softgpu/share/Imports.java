// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.softgpu.memory.Reservations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory of other processes. A context that opens it twice has it once, and closes it as often
 * (CUDA Driver API, {@code cuIpcOpenMemHandle}).
 */
public final class Imports {
  private final Exchange exchange;
  private final Map<Key, Import> byName = new HashMap<>();
  private final Map<Long, Import> byAddress = new HashMap<>();

  /** {@code exchange} is where others are asked; null where there is none. */
  public Imports(Exchange exchange) {
    this.exchange = exchange;
  }

  private record Key(Context context, ExchangeName name) {}

  /** One piece of memory, mapped in whole pages. */
  private static final class Import {
    private final Key key;
    private final Allocation where;
    private final Exchange.Answer answer;
    private final long reserved;
    private final long reservedBytes;
    private int openings = 1;

    Import(Key key, Allocation where, Exchange.Answer answer, long reserved, long reservedBytes) {
      this.key = key;
      this.where = where;
      this.answer = answer;
      this.reserved = reserved;
      this.reservedBytes = reservedBytes;
    }

    void end() {
      DeviceMemory memory = key.context().device().memory();
      boolean unused = memory.disown(where);
      Mapping.clear(memory.process(reserved), reservedBytes);
      memory.reservations().free(reserved, reservedBytes);
      answer.close();
    }
  }

  /**
   * Opens memory in a context; its address, or the negated result that says why not.
   *
   * @param pool the pool that it has to be of, where it is of one
   */
  public synchronized long open(Context context, ExchangeName name, long pool) {
    Key key = new Key(context, name);
    Import known = byName.get(key);
    if (known != null) {
      known.openings++;
      return known.where.address();
    }
    try {
      return map(key, exchange.ask(name.process(), name.toArray()), pool);
    } catch (IOException gone) {
      return -CudaResult.INVALID_HANDLE;
    }
  }

  private long map(Key key, Exchange.Answer answer, long pool) {
    ByteBuffer told = ByteBuffer.wrap(answer.bytes());
    long offset = told.getLong();
    long bytes = told.getLong();
    if (told.getLong() != pool) {
      return giveUp(answer, CudaResult.INVALID_VALUE);
    }
    DeviceMemory memory = key.context().device().memory();
    long skipped = offset & (Mapping.PAGE - 1);
    long mapped = (skipped + bytes + Mapping.PAGE - 1) & -Mapping.PAGE;
    long reservedBytes = Reservations.rounded(mapped);
    long reserved = memory.reservations().reserve(reservedBytes);
    if (reserved == 0) {
      return giveUp(answer, CudaResult.OUT_OF_MEMORY);
    }
    memory.reach(reserved + reservedBytes);
    Mapping.replace(memory.process(reserved), mapped, answer.descriptor(), offset - skipped);
    Mapping.close(answer.descriptor());
    Allocation where =
        new Allocation(reserved + skipped, bytes, null, Allocation.Kind.IMPORTED, null);
    memory.adopt(where);
    Import made = new Import(key, where, answer, reserved, reservedBytes);
    byName.put(key, made);
    byAddress.put(where.address(), made);
    return where.address();
  }

  private static long giveUp(Exchange.Answer answer, int result) {
    Mapping.close(answer.descriptor());
    answer.close();
    return -result;
  }

  /** Whether memory of a kind of name was opened that begins at an address. */
  public synchronized boolean has(long address, ExchangeName.Kind kind) {
    Import opened = byAddress.get(address);
    return opened != null && opened.key.name().kind() == kind;
  }

  /** Closes memory once; false if it is not open. The caller has waited for what uses it. */
  public synchronized boolean close(long address) {
    Import closed = byAddress.get(address);
    if (closed == null) {
      return false;
    }
    closed.openings--;
    if (closed.openings == 0) {
      drop(closed);
    }
    return true;
  }

  /** Closes what a context has left open. */
  public synchronized void closeAll(Context context) {
    List<Import> left = new ArrayList<>(byAddress.values());
    left.removeIf(one -> one.key.context() != context);
    left.forEach(this::drop);
  }

  private void drop(Import dropped) {
    byAddress.remove(dropped.where.address());
    byName.remove(dropped.key);
    dropped.end();
  }
}
