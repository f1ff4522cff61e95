// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.Handled;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A share of a device's multiprocessors (CUDA Driver API, "Green Contexts"). It has no memory and
 * no code of its own: all that belongs to the device's primary context, which lives as long. Its
 * streams are streams of that one. The share is told and not enforced: kernels run on the
 * processors of the host.
 */
public final class GreenContext extends Handled {
  private static final AtomicLong LATEST_ID = new AtomicLong();

  private final long id = LATEST_ID.incrementAndGet();
  private final PrimaryContext primary;
  private final int multiprocessors;
  private final List<Stream> streams = new CopyOnWriteArrayList<>();
  private Face face;

  /** The handle by which a green context is made current: another name of the primary context. */
  public static final class Face extends Handled {
    private final GreenContext green;

    private Face(GreenContext green) {
      this.green = green;
    }

    public GreenContext green() {
      return green;
    }
  }

  public GreenContext(PrimaryContext primary, int multiprocessors) {
    this.primary = primary;
    this.multiprocessors = multiprocessors;
    primary.retain();
  }

  /** A number that no other green context of the process has. */
  public long id() {
    return id;
  }

  public PrimaryContext primary() {
    return primary;
  }

  public int multiprocessors() {
    return multiprocessors;
  }

  /** Its streams that have not ended. */
  public List<Stream> streams() {
    return streams;
  }

  /** The same each time; null when there are too many handles. */
  public synchronized Face face() {
    Face made = face == null ? new Face(this) : face;
    if (face == null && primary.machine().handles().add(made)) {
      face = made;
    }
    return face;
  }

  /** A new stream of these flags; null when there are too many. */
  public Stream create(int flags) {
    Stream created = primary.order().create(flags);
    created.green(this);
    if (!primary.adopt(created)) {
      primary.order().end(created);
      return null;
    }
    streams.add(created);
    return created;
  }

  /** A stream has ended. */
  public void forget(Stream ended) {
    streams.remove(ended);
  }

  /** Ends it with its streams; false when it has ended already. */
  public synchronized boolean end() {
    if (!primary.machine().handles().remove(this)) {
      return false;
    }
    if (face != null) {
      primary.machine().handles().remove(face);
    }
    for (Stream stream : streams) {
      if (primary.disown(stream)) {
        primary.order().end(stream);
      }
    }
    primary.release();
    return true;
  }
}
