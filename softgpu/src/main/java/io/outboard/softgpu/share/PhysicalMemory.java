// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.Label;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.wire.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that has no address until it is mapped: a file, of which other processes may have
 * descriptors too. Guarded by its own monitor.
 */
public final class PhysicalMemory extends Handled {
  /** Where it begins in its file: behind the label. */
  private static final int BEGIN = Mapping.PAGE;

  private final Device device;
  private final long bytes;
  private final int handleTypes;
  private final int file;
  private final Bytes identity;
  private final List<Mapped> mappings = new ArrayList<>();
  private int holders = 1;
  private boolean gone;

  /** A place where it is mapped. */
  public static final class Mapped {
    private final Allocation where;
    private boolean accessible;

    private Mapped(Allocation where) {
      this.where = where;
    }

    public Allocation where() {
      return where;
    }
  }

  /** Takes the memory, which the caller has found to be there. */
  public PhysicalMemory(Device device, long bytes, int handleTypes) {
    this.device = device;
    this.bytes = bytes;
    this.handleTypes = handleTypes;
    this.file = Mapping.file(BEGIN + bytes);
    this.identity = Bytes.random(Label.IDENTITY);
    if (handleTypes != 0) {
      new Label(Label.Kind.MEMORY, device.ordinal(), handleTypes, bytes, identity).write(file);
    }
    device.memory().holds(file);
  }

  /** Memory of another process, which counts here too. */
  public PhysicalMemory(Device device, Label label, int descriptor) {
    this.device = device;
    this.bytes = label.number();
    this.handleTypes = label.handleTypes();
    this.file = Mapping.duplicate(descriptor);
    this.identity = label.identity();
    device.memory().holds(file);
  }

  public Device device() {
    return device;
  }

  public long bytes() {
    return bytes;
  }

  public int handleTypes() {
    return handleTypes;
  }

  /** The same in all processes that have it. */
  Bytes identity() {
    return identity;
  }

  /** A descriptor for another process. */
  int descriptor() {
    return Mapping.duplicate(file);
  }

  public synchronized void hold() {
    holders++;
  }

  /** One holder less; true when nobody holds it any more. */
  public synchronized boolean release() {
    holders--;
    end();
    return holders == 0;
  }

  /** Maps all of it at a reserved address. */
  public synchronized Mapped map(long address) {
    Mapping.replace(device.memory().process(address), bytes, file, BEGIN);
    Mapped made = new Mapped(new Allocation(address, bytes, null, Kind.MAPPED, null));
    mappings.add(made);
    return made;
  }

  /** Lets copies and kernels use it there. */
  public synchronized void allow(Mapped where) {
    if (!where.accessible) {
      where.accessible = true;
      device.memory().adopt(where.where);
    }
  }

  public synchronized boolean isAllowed(Mapped where) {
    return where.accessible;
  }

  /** Takes it away from there. */
  public synchronized void unmap(Mapped where) {
    device.memory().disown(where.where);
    Mapping.clear(device.memory().process(where.where.address()), bytes);
    mappings.remove(where);
    end();
  }

  private void end() {
    if (holders == 0 && mappings.isEmpty() && !gone) {
      gone = true;
      device.memory().holdsNoMore(file);
      Mapping.close(file);
      device.memory().give(bytes);
    }
  }
}
