// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.Map;

/** QEMU's commands ("QEMU Machine Protocol"), over its standard input and output. */
final class Qmp {
  private final OutputStream commands;
  private final BufferedReader answers;

  /** Begins, once the process has greeted. */
  Qmp(Process hypervisor) throws IOException {
    commands = hypervisor.getOutputStream();
    InputStream said = hypervisor.getInputStream();
    answers = new BufferedReader(new InputStreamReader(said, UTF_8));
    Object unused = next();
    ask("qmp_capabilities", Map.of());
  }

  /** Has it do something; returns what it answers. */
  synchronized Object ask(String command, Map<String, Object> arguments) throws IOException {
    String line = Json.write(Ordered.of("execute", command, "arguments", arguments)) + "\n";
    commands.write(line.getBytes(UTF_8));
    commands.flush();
    while (true) {
      Map<?, ?> answer = next();
      if (answer.containsKey("return")) {
        return answer.get("return");
      }
      if (answer.containsKey("error")) {
        throw new IOException("QEMU refuses '%s': %s".formatted(command, answer.get("error")));
      }
    }
  }

  /** Something of its monitor for people. */
  String monitor(String line) throws IOException {
    return String.valueOf(ask("human-monitor-command", Map.of("command-line", line)));
  }

  private Map<?, ?> next() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("QEMU has ended");
    }
    try {
      return (Map<?, ?>) Json.read(line);
    } catch (ClassCastException | IllegalArgumentException e) {
      throw new IOException("QEMU says '" + line + "'", e);
    }
  }
}
