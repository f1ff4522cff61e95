// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A guest that {@code run-guest} makes, under QEMU's emulation, in a hypervisor that the test
 * commands. Its console is a file, and what the test types.
 */
final class EmulatedGuest implements AutoCloseable {
  private static final Path WORK = Home.PATH.resolve("conformance/target/guest");
  private static final int NOT_POSSIBLE_HERE = 2;
  private static final Map<String, Object> PORT =
      Map.of("driver", "virtserialport", "chardev", "outboard", "name", "outboard.0", "id", "port");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Path console;
  private final Process hypervisor;
  private SocketChannel commands;
  private BufferedReader answers;

  private EmulatedGuest(Path folder, List<String> more) throws Exception {
    this.folder = Files.createDirectories(folder);
    console = folder.resolve("console");
    hypervisor =
        new ProcessBuilder(command(more))
            .redirectOutput(console.toFile())
            .redirectError(folder.resolve("errors").toFile())
            .start();
  }

  private static EmulatedGuest start(Path folder, List<String> more) throws Exception {
    EmulatedGuest guest = new EmulatedGuest(folder, more);
    try {
      Patience.until(guest::toString, guest::canBeCommanded);
      guest.answers.readLine();
      guest.command("qmp_capabilities", Map.of());
      return guest;
    } catch (Exception | AssertionError e) {
      guest.close();
      throw e;
    }
  }

  /** Makes the guest that all boot from now on; what is missing here skips the test. */
  static void make(String on, String token, Path... programs) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Home.PATH.resolve("conformance/guest/run-guest").toString(),
                "--make",
                "--client",
                Tarballs.client().toString(),
                "--on",
                on,
                "--token",
                token));
    for (Path program : programs) {
      command.add(program.toString());
    }
    Program.Ended ended = Program.run(command, Map.of());
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertEquals(0, ended.status(), ended::toString);
  }

  /**
   * Boots one, whose port is at {@link #port} of the folder.
   *
   * @param more words for QEMU
   */
  static EmulatedGuest boot(Path folder, List<String> more) throws Exception {
    return start(folder, more);
  }

  /** One that goes on where another was sent to this place, which has the form of QEMU's. */
  static EmulatedGuest from(String place, Path folder, List<String> more) throws Exception {
    List<String> words = new ArrayList<>(List.of("-incoming", place));
    words.addAll(more);
    return start(folder, words);
  }

  /** Where the host reaches the port of a guest. */
  static Path port(Path folder) {
    return folder.resolve("port.sock");
  }

  private List<String> command(List<String> more) throws IOException {
    String port = "socket,id=outboard,server=on,wait=off,path=" + port(folder);
    List<String> words =
        new ArrayList<>(
            List.of(
                "qemu-system-x86_64", "-accel", "tcg", "-m", "512", "-nodefaults", "-no-reboot"));
    words.addAll(List.of("-display", "none", "-serial", "stdio"));
    words.addAll(List.of("-nic", "user,model=virtio-net-pci"));
    words.addAll(List.of("-device", "virtio-serial-pci", "-chardev", port));
    words.addAll(List.of("-device", "virtserialport,chardev=outboard,name=outboard.0,id=port"));
    words.addAll(List.of("-qmp", "unix:" + commandSocket() + ",server=on,wait=off"));
    words.addAll(List.of("-kernel", kernel(), "-initrd", WORK.resolve("initramfs.gz").toString()));
    words.addAll(List.of("-append", "console=ttyS0 quiet panic=-1"));
    words.addAll(more);
    return words;
  }

  private static String kernel() throws IOException {
    try (Stream<Path> files = Files.list(WORK.resolve("kernel/boot"))) {
      return files
          .map(Path::toString)
          .filter(file -> file.contains("/vmlinuz-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private Path commandSocket() {
    return folder.resolve("commands.sock");
  }

  private boolean canBeCommanded() {
    assertTrue(hypervisor.isAlive(), this::toString);
    try {
      commands = SocketChannel.open(UnixDomainSocketAddress.of(commandSocket()));
      answers = new BufferedReader(Channels.newReader(commands, UTF_8));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  // ---- the hypervisor

  private JsonNode command(String name, Map<String, Object> arguments) throws IOException {
    JsonNode answer = ask(name, arguments);
    assertTrue(answer.has("return"), answer::toString);
    return answer.get("return");
  }

  private JsonNode ask(String name, Map<String, Object> arguments) throws IOException {
    String line = JSON.writeValueAsString(Map.of("execute", name, "arguments", arguments));
    commands.write(ByteBuffer.wrap(line.getBytes(UTF_8)));
    JsonNode answer = JSON.readTree(answers.readLine());
    while (answer.has("event")) {
      answer = JSON.readTree(answers.readLine());
    }
    return answer;
  }

  void pause() throws IOException {
    command("stop", Map.of());
  }

  /** Goes on from where it stands, once all of it has come. */
  void goOn() throws Exception {
    Patience.until(this::toString, () -> !status("query-status").equals("inmigrate"));
    command("cont", Map.of());
  }

  /** Pauses the guest and sends it to a place, where it stands. */
  void send(String place) throws Exception {
    pause();
    sendRunning(place);
  }

  /** Sends the guest to a place, where it goes on by itself. */
  void sendRunning(String place) throws Exception {
    command("migrate", Map.of("uri", place));
    Patience.until(this::toString, () -> !isMoving());
    assertEquals("completed", status("query-migrate"), this::toString);
  }

  private boolean isMoving() throws IOException {
    String status = status("query-migrate");
    return !status.equals("completed") && !status.equals("failed");
  }

  private String status(String question) throws IOException {
    return command(question, Map.of()).path("status").asText();
  }

  /** Takes the port away and, once the guest has let go of it, gives one of the same name. */
  void plugAgain() throws Exception {
    command("device_del", Map.of("id", "port"));
    Patience.until(this::toString, () -> ask("device_add", PORT).has("return"));
  }

  void quit() throws Exception {
    command("quit", Map.of());
    Patience.exit(hypervisor, this::toString);
  }

  // ---- its console

  void type(String text) throws IOException {
    hypervisor.getOutputStream().write(text.getBytes(UTF_8));
    hypervisor.getOutputStream().flush();
  }

  String said() throws IOException {
    return Files.readString(console).replace("\r", "");
  }

  void awaitSaid(String what) throws Exception {
    Patience.until(() -> what + ": " + this, () -> said().contains(what));
  }

  /** Waits until it has said something more often than until now. */
  void awaitSaidAgain(String what) throws Exception {
    int before = times(what);
    Patience.until(() -> what + ": " + this, () -> times(what) > before);
  }

  private int times(String what) throws IOException {
    return said().split(what, -1).length;
  }

  /** When it has said something last, in milliseconds since 1970. */
  long lastSaid() throws IOException {
    return Files.getLastModifiedTime(console).toMillis();
  }

  @Override
  public String toString() {
    try {
      return Files.readString(folder.resolve("errors")) + said();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    hypervisor.destroyForcibly().onExit().join();
    if (commands != null) {
      commands.close();
    }
  }
}
