// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The memory and the events of this process that others may open. */
public final class Exports {
  private final Machine machine;
  private final Exchange exchange;
  private final Map<Bytes, Object> byKey = new HashMap<>();
  private final Map<Object, Bytes> keys = new HashMap<>();
  private Bytes name;

  /** {@code exchange} is null where there is none. */
  public Exports(Machine machine, Exchange exchange) {
    this.machine = machine;
    this.exchange = exchange;
  }

  /** Where others are asked; null where there is none. */
  public Exchange exchange() {
    return exchange;
  }

  /** Whether a name is one of this process. */
  public synchronized boolean isOwn(ExchangeName named) {
    return named.process().equals(name);
  }

  /** The name of this process. */
  public synchronized Bytes process() throws IOException {
    if (name == null) {
      name = exchange.open(this::grant);
    }
    return name;
  }

  /** The name of an allocation, the same each time. */
  public ExchangeName name(Allocation allocation) throws IOException {
    return name(kind(allocation), allocation);
  }

  private static ExchangeName.Kind kind(Allocation allocation) {
    return allocation.pool() == null ? ExchangeName.Kind.MEMORY : ExchangeName.Kind.POOL_MEMORY;
  }

  /** The name of an event, the same each time. */
  public ExchangeName name(SharedMark mark) throws IOException {
    return name(ExchangeName.Kind.EVENT, mark);
  }

  private synchronized ExchangeName name(ExchangeName.Kind kind, Object thing) throws IOException {
    Bytes process = process();
    Bytes key = keys.get(thing);
    if (key == null) {
      key = ExchangeName.newKey();
      keys.put(thing, key);
      byKey.put(key, thing);
    }
    return new ExchangeName(kind, process, key);
  }

  /** Nobody can open it any more. */
  public synchronized void forget(Object thing) {
    Bytes key = keys.remove(thing);
    if (key != null) {
      byKey.remove(key);
    }
  }

  /** The same for what a context has left. */
  public synchronized void forgetAll(Context context) {
    keys.keySet()
        .removeIf(thing -> thing instanceof Allocation one && one.owner() == context && drop(one));
  }

  private boolean drop(Allocation allocation) {
    return byKey.remove(keys.get(allocation), allocation);
  }

  private Exchange.Grant grant(byte[] request) {
    for (ExchangeName.Kind kind : ExchangeName.Kind.values()) {
      ExchangeName asked = ExchangeName.of(request, kind);
      if (asked != null) {
        return grant(asked);
      }
    }
    return null;
  }

  private Exchange.Grant grant(ExchangeName asked) {
    return switch (find(asked)) {
      case Allocation allocation when kind(allocation) == asked.kind() -> grant(allocation);
      case SharedMark mark when asked.kind() == ExchangeName.Kind.EVENT ->
          new Exchange.Grant(new byte[Exchange.ANSWER], mark.file(), mark::letGo);
      case null, default -> null;
    };
  }

  private synchronized Object find(ExchangeName named) {
    return byKey.get(named.key());
  }

  private Exchange.Grant grant(Allocation allocation) {
    DeviceMemory memory = machine.memoryOf(allocation.address());
    if (!memory.lend(allocation)) {
      return null;
    }
    byte[] answer =
        ByteBuffer.allocate(Exchange.ANSWER)
            .putLong(memory.fileOffset(allocation.address()))
            .putLong(allocation.bytes())
            .putLong(allocation.pool() == null ? 0 : allocation.pool().handle())
            .array();
    return new Exchange.Grant(answer, memory.file(), () -> memory.takeBack(allocation));
  }
}
