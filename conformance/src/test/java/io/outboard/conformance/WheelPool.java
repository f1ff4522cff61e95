// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A pool of two software GPUs with its HTTP interface, and a user of it who has the wheel. */
final class WheelPool implements AutoCloseable {
  /** How long a lease outlives who cannot give it back, in seconds; three minutes for users. */
  private static final String LIFE = "12";

  private final Launcher outboard;
  private final Process backend;
  private final Map<String, String> variables = new HashMap<>();

  /** Makes one in an empty folder. */
  WheelPool(Path home) throws Exception {
    outboard = new Launcher(home);
    backend =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--require-lease",
            "--grace=0",
            "--api=http://127.0.0.1:0",
            "--state=" + home.resolve("state"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    variables.put("OUTBOARD_API", outboard.awaitLine(lines, "api at "));
    variables.put(
        "OUTBOARD_API_TOKEN", says("token", "create", "--role=user", "--tenant=ada", "--for=1d"));
    variables.put("OUTBOARD_LEASE_SECONDS", LIFE);
    Path packages = Wheels.unpack(Tarballs.wheel("1.2", home), home.resolve("packages"));
    variables.put("PYTHONPATH", packages.toString());
    variables.put("PYTHONDONTWRITEBYTECODE", "1");
    for (String name : List.of("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME")) {
      variables.put(name, home.toString());
    }
  }

  /** The environment of the user's programs. */
  Map<String, String> variables() {
    return variables;
  }

  private String says(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** The leases that there are. */
  JsonNode leases() throws Exception {
    return new ObjectMapper().readTree(says("leases", "--json"));
  }

  @Override
  public void close() {
    backend.destroy();
    backend.onExit().join();
  }
}
