// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.backend.system.Log;
import io.outboard.plugin.Offers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The libraries that this process can serve: its own and those of plug-ins. */
public final class Libraries {
  private static final int KINDS = 64;

  private Libraries() {}

  /** Looks for them. */
  public static Offers<LibraryService> offers() {
    return Offers.of(LibraryService.class, Libraries::identities);
  }

  private static List<String> identities(LibraryService service) {
    List<String> identities = new ArrayList<>();
    identities.add("the name " + service.library());
    identities.add("the number " + service.number());
    for (int kind = 0; kind < KINDS; kind++) {
      if ((service.kinds() >>> kind & 1) != 0) {
        identities.add("the kind of handles " + kind);
      }
    }
    return identities;
  }

  /** Those of this process, looked for once. */
  public static List<LibraryService> present() {
    return Present.SERVICES;
  }

  private static final class Present {
    static final List<LibraryService> SERVICES = offers().services();
  }

  /**
   * Opens a library for a session, if it is here. A mistake in a plug-in costs its client that
   * library, and nobody else anything.
   *
   * @throws DeviceException if it cannot be opened
   */
  static Optional<LibraryInstance> open(String name, SessionContext context)
      throws DeviceException {
    for (LibraryService service : present()) {
      if (service.library().equals(name)) {
        return Optional.of(open(service, context));
      }
    }
    return Optional.empty();
  }

  private static LibraryInstance open(LibraryService service, SessionContext context)
      throws DeviceException {
    try {
      LibraryInstance opened = opened(service, context);
      if (opened.held() == HeldDevices.UNKNOWN) {
        String name = service.library();
        CheckpointBlockers.of(context)
            .add("it uses the library " + name + ", whose state on devices nobody can put aside");
      }
      return opened;
    } catch (LinkageError | RuntimeException e) {
      Log.failure("the library " + service.library() + " cannot be opened", e);
      throw new DeviceException("the library " + service.library() + " cannot be opened: " + e);
    }
  }

  private static LibraryInstance opened(LibraryService service, SessionContext context)
      throws DeviceException {
    boolean whole = context.mayRunNativeCode() || !service.runsNativeCode(context.devices());
    return whole ? service.open(context) : service.openWithoutNativeCode(context);
  }
}
