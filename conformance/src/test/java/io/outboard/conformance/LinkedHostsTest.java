// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three backends: a program's own has joined two others, of which one copies to the other directly.
 */
final class LinkedHostsTest {
  /** Copies in {@code passing} are of 200,000 bytes; the link is cut in the middle of one. */
  private static final int SOME_COPIES = 2_500_000;

  @TempDir private Path folder;
  private Backend to = new Backend("software", "--grace=0");
  private Backend from;
  private Backend first;
  private Proxy link;

  private void start(List<Cut> cuts) throws IOException {
    to.beforeAll(null);
    link = new Proxy(to.tcp(), cuts);
    join(link.endpoint());
  }

  private void startEncrypted(List<Cut> cuts) throws IOException {
    Certificates certificates = new Certificates(folder);
    TlsIdentity identity = certificates.server("localhost");
    Path chain = certificates.write("server", identity);
    to = new Backend("software", "--grace=0", "--listen=tls://127.0.0.1:0", "--tls-cert=" + chain);
    to.beforeAll(null);
    link = new Proxy(to.further(), cuts);
    join(link.endpoint("tls").replace("//", "//" + identity.fingerprint() + "@"));
  }

  private void join(String copies) throws IOException {
    from = new Backend("software", "--grace=0", "--copy-to=" + copies).withTokenOf(to);
    from.beforeAll(null);
    first =
        new Backend(
            "software",
            "--grace=0",
            "--join=" + from.tcp(),
            "--join=" + to.tcp(),
            "--join-token-file=" + to.tokenFile());
    first.beforeAll(null);
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    first.afterAll(null);
    from.afterAll(null);
    to.afterAll(null);
    link.close();
  }

  /** Of its two devices, the second is lost where one is. */
  private Map<String, String> variables(String devices) throws IOException {
    Map<String, String> variables = new HashMap<>(first.variables(first.endpoints().getFirst()));
    variables.put("CUDA_VISIBLE_DEVICES", devices);
    return variables;
  }

  @Test
  void aLinkThatIsLostIsDoneWithout() throws Exception {
    start(List.of(new Cut(Proxy.How.RESET, true, SOME_COPIES)));
    copiesGoOn();
  }

  @Test
  void soIsAnEncryptedOne() throws Exception {
    startEncrypted(List.of(new Cut(Proxy.How.RESET, true, SOME_COPIES)));
    copiesGoOn();
  }

  /** More than a copy of each way has come over a link that is cut then. */
  private void copiesGoOn() throws Exception {
    Leftovers before = Leftovers.ofIdle(from);
    Process program = begin("passing", "2,1");
    Patience.until("copies go over the link, which is cut", () -> link.made() == 1);
    program.getOutputStream().close();
    assertEquals(List.of("ok"), end(program, program.inputReader(UTF_8)));
    before.awaitSame();
  }

  private Process begin(String topic, String devices) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("severalHosts").toString(), topic)
            .redirectErrorStream(true);
    Program.setVariables(builder, variables(devices));
    return builder.start();
  }

  private static List<String> end(Process program, BufferedReader lines) throws Exception {
    List<String> said = lines.lines().toList();
    assertEquals(0, Patience.exit(program, said::toString), said::toString);
    return said;
  }

  @TestFactory
  Stream<DynamicTest> programsDoWhatTheyDoOnOneHost() throws IOException {
    start(List.of());
    String[] topics = {"multi", "copies", "random", "events", "graphs", "passing"};
    return Cases.with(variables("1,2"), "linked hosts", "severalHosts", topics);
  }

  private void lose(Backend lost, String devices) throws Exception {
    Process program = begin("lost-passing", devices);
    BufferedReader lines = program.inputReader(UTF_8);
    assertEquals("ready", lines.readLine());
    Patience.until("copies go over the link", () -> link.passed() > SOME_COPIES);
    lost.worker(program.toHandle()).destroyForcibly();
    List<String> said = end(program, lines);
    assertFalse(said.toString().contains("silent"), said::toString);
    assertEquals("ok", said.getLast(), said::toString);
  }

  @Test
  void theSenderIsLost() throws Exception {
    start(List.of());
    lose(from, "2,1");
  }

  @Test
  void theReceiverIsLost() throws Exception {
    start(List.of());
    lose(to, "1,2");
  }
}
