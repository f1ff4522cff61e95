// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Hello;
import io.outboard.wire.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The libraries that one session opens, of those that are on the class path. */
final class WorkerLibraries implements AutoCloseable {
  private static final int MOST = 16;

  private final List<LibraryInstance> instances = new ArrayList<>();
  private final List<Welcome.Library> offered = new ArrayList<>();

  /** Opens those that the client asks for and that are here. */
  void open(List<Hello.Library> asked, SessionContext context) throws DeviceException {
    for (Hello.Library library : asked) {
      LibraryService service = find(library.name());
      if (service != null && instances.size() < MOST) {
        add(library, service.open(context));
      }
    }
  }

  private void add(Hello.Library asked, LibraryInstance instance) {
    instances.add(instance);
    int level = instance.dispatcher().level();
    offered.add(new Welcome.Library(asked.name(), asked.number(), level, instance.calls()));
  }

  private static LibraryService find(String name) {
    for (LibraryService service : ServiceLoader.load(LibraryService.class)) {
      if (service.library().equals(name)) {
        return service;
      }
    }
    return null;
  }

  List<LibraryInstance> instances() {
    return instances;
  }

  /** What the Welcome says of them. */
  List<Welcome.Library> offered() {
    return offered;
  }

  /** Their numbers in frames. */
  int[] numbers() {
    return offered.stream().mapToInt(Welcome.Library::number).toArray();
  }

  @Override
  public void close() {
    instances.forEach(LibraryInstance::close);
  }
}
