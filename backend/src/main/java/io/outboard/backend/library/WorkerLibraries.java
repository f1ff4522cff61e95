// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Hello;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Welcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The libraries that one session has opened, of those that are here. */
public final class WorkerLibraries implements AutoCloseable {
  private static final int MOST = 16;

  // Replaced as a whole: threads that run calls read it without a lock.
  private volatile Opened[] opened = {};

  private record Opened(
      int number, LibraryInstance instance, Welcome.Library offered, CallCounts counts) {}

  /** One library that is open already. */
  public static WorkerLibraries of(String name, int number, LibraryInstance instance) {
    WorkerLibraries libraries = new WorkerLibraries();
    libraries.add(name, number, instance);
    return libraries;
  }

  /**
   * Opens those that the client asks for and that are here. One for which there are no devices is
   * as one that is not here: the client hears why when it asks for that one again, to call it.
   *
   * @throws DeviceException if there is none for any; it is about those that the operator has asked
   *     for
   */
  public void open(List<Hello.Library> asked, SessionContext context) throws DeviceException {
    List<DeviceException> missing = new ArrayList<>();
    for (Hello.Library library : asked) {
      try {
        open(library, context);
      } catch (DeviceException e) {
        missing.add(e);
      }
    }
    if (opened.length == 0 && !missing.isEmpty()) {
      throw missing.stream()
          .filter(reason -> !reason.isUnwanted())
          .findFirst()
          .orElse(missing.getFirst());
    }
  }

  /**
   * Opens a library, or returns the one that is open already.
   *
   * @return what the client is told of it; null if it is not here
   */
  public synchronized Welcome.Library open(Hello.Library asked, SessionContext context)
      throws DeviceException {
    Opened open = opened(asked.number());
    if (open != null) {
      return same(open.offered(), asked);
    }
    if (opened.length == MOST) {
      return null;
    }
    LibraryInstance instance = Libraries.open(asked.name(), context).orElse(null);
    return instance == null ? null : add(asked.name(), asked.number(), instance);
  }

  private static Welcome.Library same(Welcome.Library open, Hello.Library asked) {
    if (!open.name().equals(asked.name())) {
      throw new ProtocolException(
          "two libraries, " + open.name() + " and " + asked.name() + ", of one number");
    }
    return open;
  }

  private synchronized Welcome.Library add(String name, int number, LibraryInstance instance) {
    int level = instance.dispatcher().level();
    Welcome.Library offered = new Welcome.Library(name, number, level, instance.calls());
    Opened[] more = Arrays.copyOf(opened, opened.length + 1);
    more[opened.length] =
        new Opened(number, instance, offered, new CallCounts(instance.dispatcher()));
    opened = more;
    return offered;
  }

  private Opened opened(int number) {
    for (Opened one : opened) {
      if (one.number == number) {
        return one;
      }
    }
    return null;
  }

  /** The library of a number in frames, null if none is open. */
  public LibraryInstance numbered(int number) {
    Opened one = opened(number);
    return one == null ? null : one.instance;
  }

  /** A call of a library that is open has come. */
  public void called(int library, int number) {
    opened(library).counts.add(number);
  }

  /** The functions that were called most, each with its count behind it; at most so many. */
  public String mostCalled(int most) {
    return Arrays.stream(opened)
        .flatMap(one -> one.counts.called())
        .sorted(CallCounts.Called.MOST_FIRST)
        .limit(most)
        .map(called -> called.function() + " " + called.count())
        .collect(Collectors.joining(" "));
  }

  /** The session's state on devices: unknown where that is so of one library. */
  public HeldDevices held() {
    return Arrays.stream(opened)
        .map(one -> one.instance.held())
        .filter(held -> held != HeldDevices.NONE)
        .max(Comparator.comparing(held -> held == HeldDevices.UNKNOWN))
        .orElse(HeldDevices.NONE);
  }

  /** Their entries in the Welcome. */
  public List<Welcome.Library> offered() {
    return Arrays.stream(opened).map(Opened::offered).toList();
  }

  /** A thread of the client has ended. */
  public void threadEnded(int thread) {
    for (Opened one : opened) {
      one.instance.threadEnded(thread);
    }
  }

  @Override
  public void close() {
    for (Opened one : opened) {
      one.instance.close();
    }
  }
}
