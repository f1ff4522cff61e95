// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lease with a virtual machine: its service has the GPU, machine and lease end together, and
 * nothing is left of them whatever is killed.
 */
@Lengthy
final class AccelerationServerTest {
  private static final String SOURCE =
      """
      import com.sun.net.httpserver.HttpServer;
      import java.io.IOException;
      import java.net.InetSocketAddress;
      import java.nio.file.*;

      public final class Service {
        public static void main(String[] words) throws Exception {
          Path program = Path.of("vectorAdd").toAbsolutePath();
          Files.copy(
              Service.class.getResourceAsStream("/vectorAdd"),
              program,
              StandardCopyOption.REPLACE_EXISTING);
          program.toFile().setExecutable(true);
          int port = Integer.parseInt(System.getenv("OUTBOARD_SERVICE_PORT"));
          HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
          server.createContext(
              "/",
              exchange -> {
                Process run =
                    new ProcessBuilder("outboard-run", "--no-check", "--", program.toString())
                        .redirectErrorStream(true)
                        .start();
                byte[] said = run.getInputStream().readAllBytes();
                exchange.sendResponseHeaders(200, said.length);
                exchange.getResponseBody().write(said);
                exchange.close();
              });
          server.start();
        }
      }
      """;

  @TempDir private Path home;
  private Launcher outboard;
  private Process office;
  private String backend;
  private Path service;
  private Path client;
  private final List<Process> commands = new ArrayList<>();

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(PlainImage.isHere(), PlainImage::absent);
    outboard = new Launcher(home);
    startOffice("tcp://127.0.0.1:0");
    client = Tarballs.clientPackage(home.resolve("packages"));
    service = service();
  }

  private void startOffice(String listen) throws IOException {
    office =
        outboard.start(
            "serve",
            "--device=software",
            "--require-lease",
            "--workers=1",
            "--listen=" + listen,
            "--state=" + home.resolve("state"));
    String serving = outboard.awaitLine(lines(office), "serving ");
    backend = serving.substring(serving.indexOf(" at ") + 4);
    outboard.set("OUTBOARD_TOKEN", Files.readString(outboard.runtime().resolve("outboard/token")));
  }

  /** A jar for the machine's Java 17. */
  private Path service() throws Exception {
    Path source = Files.writeString(home.resolve("Service.java"), SOURCE);
    Path classes = Files.createDirectory(home.resolve("classes"));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "--release", "17", "-d", classes.toString(), source.toString());
    assertEquals(0, compiled);
    Files.copy(Home.VECTOR_ADD, classes.resolve("vectorAdd"));
    Path jar = home.resolve("service.jar");
    List<String> command = new ArrayList<>(List.of("jar", "--create", "--main-class=Service"));
    command.addAll(List.of("--file=" + jar, "-C", classes.toString(), "."));
    int packed =
        java.util.spi.ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, command.subList(1, command.size()).toArray(String[]::new));
    assertEquals(0, packed);
    return jar;
  }

  @AfterEach
  void end() throws Exception {
    for (Process command : commands) {
      command.destroyForcibly().waitFor();
    }
    if (office != null) {
      office.destroy();
      office.waitFor();
    }
  }

  private static BufferedReader lines(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private Process machine(String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "lease",
                "--on=" + backend,
                "--with=vm",
                "--image=" + PlainImage.PATH,
                "--service=" + service,
                "--client=" + client,
                "--accelerator=tcg",
                "--machine-memory=768"));
    words.addAll(List.of(more));
    Process command = outboard.start(words.toArray(String[]::new));
    commands.add(command);
    return command;
  }

  /** QEMU of this test's machines. */
  private Optional<ProcessHandle> hypervisor() throws IOException {
    Path folders = home.resolve(".local/state/outboard/machines");
    if (!Files.isDirectory(folders)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folders)) {
      for (Path folder : files.toList()) {
        Path process = folder.resolve("process");
        if (Files.exists(process)) {
          long pid = Long.parseLong(Files.readString(process).split(" ", -1)[0]);
          return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        }
      }
    }
    return Optional.empty();
  }

  private String leases() throws Exception {
    Program.Ended ended = outboard.run("leases", "--on=" + backend);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  private boolean isNothingLeft() throws Exception {
    return leases().lines().count() == 1 && hypervisor().isEmpty();
  }

  private static String call(String where) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + where + "/")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  /** Begins a machine without waiting for its service. */
  private Process begun(String... more) throws Exception {
    Process command = machine(more);
    String unused = outboard.awaitLine(lines(command), "calls at ");
    Patience.until("the machine runs", () -> hypervisor().isPresent());
    return command;
  }

  @Test
  void theServiceHasTheGpuAndLeavesItToOthersWhileNobodyCalls() throws Exception {
    Instant begun = Instant.now();
    Process command = machine("--machine-idle=5s");
    String where = outboard.awaitLine(lines(command), "calls at ");
    assertTrue(call(where).contains("vectorAdd: PASSED"), outboard::toString);
    System.out.printf(
        "from the command to the first kernel of the machine's service: %d s%n",
        Duration.between(begun, Instant.now()).toSeconds());
    Patience.until("it is suspended", () -> outboard.errors().contains("the machine is suspended"));
    assertTrue(leases().contains(" held "), this::words);
    Program.Ended other =
        outboard.shell(
            "outboard lease --on %s --tenant other -- %s".formatted(backend, Home.VECTOR_ADD));
    assertEquals(0, other.status(), other::toString);
    assertTrue(call(where).contains("vectorAdd: PASSED"), this::words);
    assertTrue(outboard.errors().contains("a call: the machine goes on"), this::words);
    // Its own end: the machine goes with the command.
    command.destroy();
    command.waitFor();
    Patience.until("nothing is left", this::isNothingLeft);
  }

  private String words() {
    try {
      return outboard.errors();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void theCommandIsKilled() throws Exception {
    Process command = begun();
    // The launcher becomes the command, so this is it.
    command.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
    command.destroyForcibly().waitFor();
    Patience.until("the machine has ended", () -> hypervisor().isEmpty());
    // Not before that: the limit of what is lost would be shorter.
    Thread.sleep(Launcher.LAPSE);
    Patience.until("its lease lapses", () -> leases().lines().count() == 1);
    Process next = begun();
    assertTrue(outboard.errors().contains("whose command was killed, is destroyed"), this::words);
    next.destroy();
    next.waitFor();
    Patience.until("nothing is left", this::isNothingLeft);
  }

  @Test
  void theHypervisorIsKilled() throws Exception {
    Process command = begun();
    hypervisor().orElseThrow().destroyForcibly();
    assertEquals(1, command.waitFor());
    assertTrue(outboard.errors().contains("the machine has ended"), this::words);
    assertTrue(isNothingLeft(), this::words);
  }

  @Test
  void theBackendIsKilledAndTheLeaseRevoked() throws Exception {
    Process command = begun();
    office.destroyForcibly().waitFor();
    startOffice(backend);
    assertTrue(hypervisor().isPresent(), this::words);
    String lease = leases().lines().toList().getLast().split(" ", 2)[0];
    Program.Ended revoked = outboard.run("revoke", "--on=" + backend, lease);
    assertEquals(0, revoked.status(), revoked::toString);
    assertEquals(1, command.waitFor());
    assertTrue(outboard.errors().contains("is over, and so is its machine"), this::words);
    assertTrue(isNothingLeft(), this::words);
  }

  @Test
  void itsTimeIsOver() throws Exception {
    Process command = begun("--for=10s");
    assertEquals(0, command.waitFor(), this::words);
    assertTrue(isNothingLeft(), this::words);
  }
}
