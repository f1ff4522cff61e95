// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code outboard serve}, for as long as the benchmark runs. */
public final class Backend implements AutoCloseable {
  private static final String LOG = "log";
  private static final String LOOPBACK = "127.0.0.1";

  private final Path folder;
  private final String unix;
  private final String tcp;
  private final Companion companion;
  private final Process process;
  private String devices = "";

  private Backend(Path folder, String unix, String tcp, Companion companion, Process process) {
    this.folder = folder;
    this.unix = unix;
    this.tcp = tcp;
    this.companion = companion;
    this.process = process;
  }

  /**
   * Returns once it serves.
   *
   * @param launcher the {@code outboard} command, and what that begins with
   * @param device what it serves, as {@code serve --device} has it
   * @throws IOException if it does not start; the message has what it said
   */
  public static Backend start(List<String> launcher, String device) throws IOException {
    return start(launcher, device, LOOPBACK, List.of());
  }

  /**
   * The same on a network.
   *
   * @param address where it listens
   * @param options further ones of {@code serve}
   */
  public static Backend start(
      List<String> launcher, String device, String address, List<String> options)
      throws IOException {
    Path folder = Files.createTempDirectory("outboard-bench");
    String unix = "unix:" + folder.resolve("backend.sock");
    String tcp = "tcp://" + address + ":" + freePort();
    Companion companion = new Companion(folder, LOOPBACK + ":" + freePort());
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of("serve", "--device=" + device, "--listen=" + unix, "--listen=" + tcp));
    command.addAll(companion.serveOptions());
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(folder.resolve(LOG).toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end of the backend"));
    Backend backend = new Backend(folder, unix, tcp, companion, process);
    backend.await(companion.listens());
    return backend;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** It says where it serves once it does. */
  private void await(String last) throws IOException {
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.endsWith(last)) {
        devices = line.replaceFirst("^serving (.*) at .*", "$1");
        return;
      }
    }
    throw new IOException("the backend did not start: " + Files.readString(log()).strip());
  }

  /** The Unix socket, and the insistence on shared memory. */
  public String shm() {
    return unix.replaceFirst("unix", "shm");
  }

  /** The Unix socket. */
  public String unix() {
    return unix;
  }

  /** TCP, on this machine or where it was told to listen. */
  public String tcp() {
    return tcp;
  }

  /** Where the companion passes everything on to TLS on this machine. */
  public String tls() {
    return companion.endpoint();
  }

  /** The names of what it serves. */
  public String devices() {
    return devices;
  }

  /** The file of its standard error, which is there until the backend is closed. */
  public Path log() {
    return folder.resolve(LOG);
  }

  /** CPU seconds so far of the daemon and each worker. */
  public record Clocks(Map<Long, Double> seconds) {
    /**
     * Processor time of the processes that are still there; a worker that has ended meanwhile
     * counts for nothing.
     */
    public double since(Clocks earlier) {
      return seconds.entrySet().stream()
          .mapToDouble(now -> now.getValue() - earlier.seconds.getOrDefault(now.getKey(), 0.0))
          .filter(used -> used > 0)
          .sum();
    }
  }

  /** Reads the clocks. */
  public Clocks clocks() {
    return new Clocks(
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
            .collect(Collectors.toMap(ProcessHandle::pid, CpuClock::seconds, Double::sum)));
  }

  @Override
  public void close() throws IOException {
    companion.close();
    process.destroy();
    Waiting.forEnd(process);
    Folder.remove(folder);
  }
}
