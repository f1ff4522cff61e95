// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * One suite for both clients: the cases of {@link DriverCases} with the software GPU itself, and
 * through the client for native programs and the one for the JVM, over each communicator that they
 * have, to a device of the backend and to one of a host that it has joined.
 */
final class ClientsTest {
  private static final String[] CASES = {
    "sizes",
    "fills",
    "streams",
    "own-streams",
    "host-functions",
    "wrong",
    "wrong-posted",
    "vectorAdd",
    "matrixMul",
    "histogram"
  };
  private static final int NEAR = 0;
  private static final int FAR = 1;

  private static final Backend OTHER = new Backend();
  private static Backend backend;

  @BeforeAll
  static void start() throws IOException {
    OTHER.beforeAll(null);
    backend =
        new Backend("software", "--join=" + OTHER.tcp(), "--join-token-file=" + OTHER.tokenFile());
    backend.beforeAll(null);
  }

  @AfterAll
  static void end() throws IOException, InterruptedException {
    backend.afterAll(null);
    OTHER.afterAll(null);
  }

  @TestFactory
  Stream<DynamicTest> theSoftwareGpuSaysWhatIsRight() {
    return cases(DriverClient.SOFTWARE, NEAR, Map.of(), "nothing");
  }

  @TestFactory
  Stream<DynamicTest> nativePrograms() throws IOException {
    return over(backend.endpoints(), DriverClient.NATIVE);
  }

  /** Shared memory is not this client's. */
  @TestFactory
  Stream<DynamicTest> programsOnTheJvm() throws IOException {
    return over(backend.endpoints().subList(1, 3), DriverClient.JVM);
  }

  private static Stream<DynamicTest> over(List<String> endpoints, DriverClient client)
      throws IOException {
    List<Stream<DynamicTest>> tests = new ArrayList<>();
    for (String endpoint : endpoints) {
      Map<String, String> variables = backend.variables(endpoint);
      tests.add(cases(client, NEAR, variables, endpoint));
      tests.add(cases(client, FAR, variables, endpoint + " and a joined host"));
    }
    return tests.stream().flatMap(each -> each);
  }

  private static Stream<DynamicTest> cases(
      DriverClient client, int device, Map<String, String> variables, String how) {
    List<String> command =
        List.of(
            Home.java(),
            "-XX:TieredStopAtLevel=1",
            "-Doutboard.home=" + Home.PATH,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Home.classPath(),
            DriverCases.class.getName(),
            client.name(),
            Integer.toString(device));
    return Cases.with(command, variables, client + " over " + how, CASES);
  }
}
