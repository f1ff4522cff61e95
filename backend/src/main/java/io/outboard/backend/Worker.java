// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.GreetingServer;
import io.outboard.communicator.Posix;
import io.outboard.communicator.Processes;
import io.outboard.communicator.UnixCommunicator;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The main class of a worker process: waits for one client, serves it, and ends with it. Nothing
 * that a client does outlives its worker.
 */
public final class Worker {
  private static final int WELCOME_TIMEOUT_MS = 5_000;
  private static final int LIMIT = 64;

  private Worker() {}

  /**
   * Runs a worker.
   *
   * @param arguments the path of the daemon's private socket, and the devices to serve
   */
  public static void main(String[] arguments) throws IOException {
    Processes.setParentDeathSignal(Processes.SIGKILL);
    Processes.setNoNewPrivileges();
    int daemon = new UnixCommunicator().connect(Endpoint.unix(arguments[0]));
    warmUp();
    HandOver handOver = HandOver.receive(daemon);
    if (handOver != null) {
      serve(handOver, arguments[1]);
    }
    // Not exit: threads that wait in a driver must not hold up the end.
    Runtime.getRuntime().halt(0);
  }

  /** Loads what every session needs while nobody waits for it. */
  private static void warmUp() {
    ServiceLoader.load(LibraryService.class).forEach(service -> service.library());
  }

  private static void serve(HandOver handOver, String devices) throws IOException {
    SharedPage page = SharedPage.map(handOver.page());
    watchHangUp(handOver.client(), page);
    Bytes identity = Bytes.random(Message.IDENTITY);
    int tag = identity.toArray()[0] & 63;
    handOver.hello().environment().forEach(Environment::set);
    WorkerSession session = new WorkerSession(handOver.client(), tag, devices, page);
    try {
      welcome(handOver, identity, session);
      String cause = session.await();
      page.cause(cause);
    } catch (DeviceException e) {
      page.cause(e.getMessage());
      GreetingServer.refuse(
          handOver.client(), new Refusal(Refusal.DEVICE, e.getMessage()), WELCOME_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void welcome(HandOver handOver, Bytes identity, WorkerSession session)
      throws DeviceException, IOException {
    LibraryInstance[] byNumber = new LibraryInstance[LIMIT];
    List<Welcome.Library> offered = new ArrayList<>();
    for (Hello.Library asked : handOver.hello().libraries()) {
      LibraryService service = find(asked.name());
      if (service != null && asked.number() >= 0 && asked.number() < LIMIT) {
        LibraryInstance instance = service.open(session);
        byNumber[asked.number()] = instance;
        offered.add(
            new Welcome.Library(
                asked.name(), asked.number(), instance.dispatcher().level(), instance.calls()));
      }
    }
    Welcome welcome =
        new Welcome(
            handOver.hello().version(),
            identity,
            Bytes.random(Message.IDENTITY),
            handOver.proof(),
            offered);
    write(handOver.client(), welcome.encode());
    session.serve(java.util.Arrays.asList(byNumber));
  }

  private static LibraryService find(String name) {
    for (LibraryService service : ServiceLoader.load(LibraryService.class)) {
      if (service.library().equals(name)) {
        return service;
      }
    }
    return null;
  }

  private static void write(int descriptor, byte[] bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length);
      memory.copyFrom(MemorySegment.ofArray(bytes));
      for (long done = 0; done < bytes.length; ) {
        long n = Posix.write(descriptor, memory.address() + done, bytes.length - done);
        if (n <= 0) {
          throw new IOException("the client has gone");
        }
        done += n;
      }
    }
  }

  /**
   * Ends the process as soon as the client has gone, also while every thread waits in the driver.
   * What the client sent before it went is still run if it takes less than a moment: it may have
   * ended on purpose.
   */
  private static void watchHangUp(int client, SharedPage page) {
    Thread.ofPlatform()
        .name("hang-up")
        .daemon(true)
        .start(
            () -> {
              Posix.poll(client, Posix.POLLHUP, -1);
              pause();
              page.cause("the client has gone");
              Runtime.getRuntime().halt(0);
            });
  }

  private static void pause() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
