// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import io.outboard.openstack.cloud.LeaseMachines;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A machine of a cloud. Where this process is killed its lease lapses, and {@code outboard
 * openstack serve} deletes the machine then.
 */
public final class NovaMachine implements Machine {
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int CONNECT_MS = 2_000;

  private final LeaseMachines nova;
  private final String id;
  private final int port;
  private Optional<InetSocketAddress> service = Optional.empty();
  private String status = "BUILD";
  private Instant asked = Instant.now();

  private NovaMachine(LeaseMachines nova, String id, int port) {
    this.nova = nova;
    this.id = id;
    this.port = port;
  }

  /**
   * Makes one.
   *
   * @param port at which its service listens
   */
  public static NovaMachine start(LeaseMachines nova, LeaseMachines.Wanted wanted, int port)
      throws IOException {
    return new NovaMachine(nova, nova.make(wanted), port);
  }

  /** A cloud that does not answer says nothing. */
  @Override
  public synchronized boolean isAlive() {
    if (asked.plus(PAUSE).isBefore(Instant.now())) {
      asked = Instant.now();
      try {
        status = nova.status(id).orElse("DELETED");
      } catch (IOException e) {
        return true;
      }
    }
    return !status.equals("DELETED") && !status.equals("ERROR") && !status.equals("SHUTOFF");
  }

  @Override
  public synchronized boolean isReady() {
    try {
      if (service.isEmpty() && isAlive() && status.equals("ACTIVE")) {
        service =
            nova.address(id).map(text -> new InetSocketAddress(text, port)).filter(this::takes);
      }
    } catch (IOException e) {
      return false;
    }
    return service.isPresent();
  }

  private boolean takes(InetSocketAddress address) {
    try (Socket one = new Socket()) {
      one.connect(address, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public InetSocketAddress service() {
    return service.orElseThrow();
  }

  @Override
  public void suspend() throws IOException {
    nova.suspend(id);
    await("SUSPENDED");
  }

  @Override
  public void resume() throws IOException {
    nova.resume(id);
    await("ACTIVE");
  }

  private void await(String wanted) throws IOException {
    while (isAlive()) {
      if (nova.status(id).filter(wanted::equals).isPresent()) {
        return;
      }
      pause();
    }
    throw new IOException("machine %s is %s".formatted(id, status));
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public String said() {
    return "machine %s is %s".formatted(id, status);
  }

  /** Where the cloud does not answer, its adapter deletes it later. */
  @Override
  public void close() {
    try {
      nova.delete(id);
    } catch (IOException e) {
      System.getLogger(NovaMachine.class.getName())
          .log(System.Logger.Level.WARNING, "machine " + id + " is deleted later", e);
    }
  }
}
