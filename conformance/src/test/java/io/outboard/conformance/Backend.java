// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A backend as a user has it: {@code outboard serve} in a process of its own, on a Unix socket and
 * on TCP, with the software GPU.
 */
final class Backend implements BeforeAllCallback, AfterAllCallback {
  private static final String SERVING = " at ";
  private static final Path LOGS = Home.PATH.resolve("conformance/target/logs");
  private static final FileAttribute<?> OWNERS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** The command that starts with {@code serve}; made when it is wanted. */
  @FunctionalInterface
  interface Command {
    /** Its program, and arguments before {@code serve}; its temporary files go to a folder. */
    List<String> words(Path temporary) throws IOException;
  }

  private final Command outboard;
  private final List<String> options;
  private Backend sharer;
  private final List<Path> others = new ArrayList<>();
  private Path folder;
  private Path log;
  private Process process;
  private final int port = FreePort.next();
  private final List<String> endpoints = new ArrayList<>();

  /** The one of the sources. */
  Backend() {
    this("software");
  }

  /** The one of the sources, serving these devices; with further options of {@code serve}. */
  Backend(String devices, String... further) {
    this(Backend::fromSources, devices, further);
  }

  /** That of another command. */
  Backend(Command outboard) {
    this(outboard, "software");
  }

  /** That of another command, serving these devices. */
  Backend(Command outboard, String devices, String... further) {
    this.outboard = outboard;
    options = new ArrayList<>(List.of("--device=" + devices));
    options.addAll(List.of(further));
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    folder = Folders.make("outboard-conformance");
    log = Files.createDirectories(LOGS).resolve(folder.getFileName() + ".log");
    if (sharer != null) {
      Files.createDirectory(folder.resolve("outboard"), OWNERS);
      Files.copy(sharer.tokenFile(), tokenFile(), StandardCopyOption.COPY_ATTRIBUTES);
    }
    process = start(List.of());
    readEndpoints();
  }

  /** Has it take over the token of another one, which is there. */
  Backend withTokenOf(Backend other) {
    sharer = other;
    return this;
  }

  /** Removes a folder, which its options name, with its own. */
  Backend withFolder(Path other) {
    others.add(other);
    return this;
  }

  /** The daemon. */
  ProcessHandle daemon() {
    return process.toHandle();
  }

  /** Starts it again at the same socket, after somebody has ended it. */
  void startAgain() throws IOException {
    startAgain(List.of());
  }

  /** Starts another one in its place, which it makes room for. */
  void replace() throws IOException {
    startAgain(List.of("--replace"));
  }

  private void startAgain(List<String> more) throws IOException {
    endpoints.clear();
    process = start(more);
    readEndpoints();
  }

  /** The command of the sources. */
  static List<String> fromSources(Path temporary) {
    List<String> words = new ArrayList<>(List.of(Home.java(), "-XX:+UseSerialGC", "-Xmx64m"));
    words.addAll(StartUp.ofCommand());
    words.add(StartUp.ofWorkers());
    words.add("-Djava.io.tmpdir=" + temporary);
    words.add("-Doutboard.libraries=" + Home.LIBRARIES);
    words.add("--enable-native-access=ALL-UNNAMED");
    words.addAll(List.of("-cp", Home.COMMAND.toString(), "io.outboard.cli.Outboard"));
    return words;
  }

  /** The same with variables: words {@code NAME=VALUE}. */
  static List<String> fromSources(Path temporary, String... variables) {
    List<String> words = new ArrayList<>(List.of("env"));
    words.addAll(List.of(variables));
    words.addAll(fromSources(temporary));
    return words;
  }

  private Process start(List<String> more) throws IOException {
    List<String> words = new ArrayList<>(outboard.words(folder));
    // One spare worker, whatever the machine: tests count those that are left.
    words.addAll(List.of("serve", "--workers=1", "--listen=unix:" + socket()));
    words.add("--listen=tcp://127.0.0.1:" + port);
    words.addAll(options);
    words.addAll(more);
    if (isEncrypted()) {
      // Java's ciphers are a hundred times slower without the optimising compiler's instructions.
      words.remove(StartUp.QUICK);
    }
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(new File("/dev/null"))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Program.setVariables(builder, home());
    return builder.start();
  }

  private boolean isEncrypted() {
    return options.stream().anyMatch(option -> option.startsWith("--listen=tls:"));
  }

  private void readEndpoints() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    long all = 2 + options.stream().filter(option -> option.startsWith("--listen=")).count();
    while (endpoints.size() < all) {
      String line = lines.readLine();
      if (line == null) {
        throw new IOException("the backend does not serve: " + log());
      }
      int at = line.lastIndexOf(SERVING);
      if (at >= 0) {
        endpoints.add(line.substring(at + SERVING.length()));
      }
    }
  }

  /** How programs reach it: over shared memory, over the Unix socket alone, and over TCP. */
  List<String> endpoints() {
    return List.of("shm:" + socket(), "unix:" + socket(), tcp());
  }

  /**
   * Where it keeps everything that is a file: the runtime folder of the user whose backend it is.
   */
  Path folder() {
    return folder;
  }

  /** Where it keeps images of modules. */
  Path images() {
    return folder.resolve("cache/outboard/images");
  }

  /** The socket's path: that of the user whose runtime folder is {@link #folder}. */
  Path socket() {
    return folder.resolve("outboard/outboard.sock");
  }

  /** The TCP endpoint. */
  String tcp() {
    return endpoints.get(1);
  }

  /** The endpoint that a further option asked for, the only one of its kind. */
  String further() {
    return endpoints.getLast();
  }

  /** The endpoint that one of several further options asked for, counted from 0. */
  String further(int number) {
    return endpoints.get(2 + number);
  }

  /** How many listeners for clients it has. */
  int listeners() {
    return endpoints.size();
  }

  /** Its workers, the spare one among them. */
  List<ProcessHandle> workers() {
    return process.descendants().toList();
  }

  /** The worker of a client that has been greeted, as the log has it. */
  ProcessHandle worker(ProcessHandle client) throws IOException {
    String mark = "(process " + client.pid() + "), worker ";
    String log = log();
    if (!log.contains(mark)) {
      throw new AssertionError("no " + mark + " in " + log);
    }
    String from = log.substring(log.lastIndexOf(mark) + mark.length());
    return ProcessHandle.of(Long.parseLong(from.lines().findFirst().orElseThrow())).orElseThrow();
  }

  /** Returns its standard error, which stays for the diagnosis of a failure. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Where it has its token. */
  Path tokenFile() {
    return folder.resolve("outboard/token");
  }

  /** The token that clients on TCP prove. */
  String token() throws IOException {
    return Files.readString(tokenFile()).strip();
  }

  /** The variables of a program that runs on it; only {@code shm:} shares memory. */
  Map<String, String> variables(String endpoint) throws IOException {
    return Map.of(
        "OUTBOARD",
        endpoint,
        "OUTBOARD_SHM",
        endpoint.startsWith("shm:") ? "1" : "0",
        "OUTBOARD_TOKEN",
        token(),
        "LD_LIBRARY_PATH",
        Home.LIBRARIES.toString());
  }

  /** The same with a token, in a home where none of the tests' user is found; may be changed. */
  Map<String, String> variables(String endpoint, String token, Path home) throws IOException {
    Map<String, String> variables = new HashMap<>(variables(endpoint));
    variables.put("OUTBOARD_TOKEN", token);
    for (String name : List.of("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME")) {
      variables.put(name, home.toString());
    }
    return variables;
  }

  /** Keeps it away from the files of the tests' user. */
  private Map<String, String> home() {
    return Map.of(
        "HOME",
        folder.toString(),
        "XDG_RUNTIME_DIR",
        folder.toString(),
        "XDG_CACHE_HOME",
        folder.resolve("cache").toString());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
    try {
      end();
    } finally {
      Folders.remove(folder);
      for (Path other : others) {
        Folders.remove(other);
      }
    }
  }

  private void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(Patience.LIMIT)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("the backend did not end when told to");
    }
  }
}
