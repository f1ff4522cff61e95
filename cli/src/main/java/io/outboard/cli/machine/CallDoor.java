// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;

/**
 * The door of a machine's service: it listens while the machine is suspended or does not take calls
 * yet, has it go on when a connection comes, and knows for how long there was none.
 */
public final class CallDoor implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CallDoor.class.getName());
  private static final int MOST = 256;
  private static final Duration CONNECT = Duration.ofSeconds(30);

  private final ServerSocket listener;
  private final Wake wake;
  private final Semaphore free = new Semaphore(MOST);
  private int open;
  private Instant last = Instant.now();

  /** Brings the machine to where it takes calls. */
  @FunctionalInterface
  public interface Wake {
    /** Returns where its service is, once it does. */
    SocketAddress awake() throws IOException, InterruptedException;
  }

  /**
   * Opens it.
   *
   * @param address where calls come; with the port 0 any
   */
  public CallDoor(InetSocketAddress address, Wake wake) throws IOException {
    this.wake = wake;
    listener = new ServerSocket();
    listener.bind(address);
    Thread.ofVirtual().name("calls").start(this::run);
  }

  /** Where calls come. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  /** Has nobody be late who could not call before now. */
  public synchronized void begin() {
    last = Instant.now();
  }

  /** For how long there was no call; zero while there is one. */
  public synchronized Duration idle() {
    return open > 0 ? Duration.ZERO : Duration.between(last, Instant.now());
  }

  private void run() {
    try {
      while (true) {
        free.acquire();
        Socket caller = listener.accept();
        change(1);
        Thread.ofVirtual().name("call").start(() -> call(caller));
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the door is closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void change(int calls) {
    open += calls;
    last = Instant.now();
  }

  private void call(Socket caller) {
    try (caller;
        Socket service = new Socket()) {
      service.connect(wake.awake(), Math.toIntExact(CONNECT.toMillis()));
      Thread back = Thread.ofVirtual().name("answer").start(() -> copy(service, caller));
      copy(caller, service);
      back.join();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a call ends: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      change(-1);
      free.release();
    }
  }

  /** Copies one way until its end, which the other side is told. */
  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      in.transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket one) {
    try {
      one.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a connection is lost", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
