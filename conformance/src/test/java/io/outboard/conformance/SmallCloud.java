// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** OpenStack's services on this machine, with Nova's fake hosts: {@code conformance/openstack}. */
final class SmallCloud {
  /** As the page has it, so that it is made once. */
  private static final Path ROOT = Path.of("/var/tmp/outboard-cloud");

  private static final Path SCRIPT = Home.PATH.resolve("conformance/openstack/cloud");
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();

  static boolean isHere() {
    return Files.isExecutable(ROOT.resolve("usr/bin/nova-api"));
  }

  /** Why it is not. */
  static String absent() {
    return "no OpenStack is there: " + SCRIPT + " make " + ROOT;
  }

  /** Ends one that somebody has started. */
  static void stop() throws IOException, InterruptedException {
    says("stop");
  }

  /** Starts all services, which know nothing yet, and has their hosts be the pool's. */
  static SmallCloud start() throws IOException, InterruptedException {
    stop();
    says("start");
    SmallCloud cloud = new SmallCloud();
    cloud.operator("aggregate", "create", "remote-gpus");
    cloud.operator("aggregate", "add", "host", "remote-gpus", "host1");
    cloud.operator("aggregate", "add", "host", "remote-gpus", "host2");
    Path image = Files.write(ROOT.resolve("tmp/nothing"), new byte[1024]);
    cloud.operator(
        "image", "create", "--public", "--disk-format=raw", "--file=/tmp/nothing", "nothing");
    Files.delete(image);
    return cloud;
  }

  private static Program.Ended run(String verb, String... words)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of(SCRIPT.toString(), verb, ROOT.toString()), Stream.of(words))
            .toList();
    return Program.run(command, Map.of(), LIMIT);
  }

  private static String says(String verb, String... words)
      throws IOException, InterruptedException {
    Program.Ended ended = run(verb, words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** OpenStack's command for a user who has the name of the password. */
  Program.Ended client(String user, String project, String... words)
      throws IOException, InterruptedException {
    return run(
        "client", Stream.concat(Stream.of(user, project), Stream.of(words)).toArray(String[]::new));
  }

  private String operator(String... words) throws IOException, InterruptedException {
    Program.Ended ended = client("admin", "demo", words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** Boots a machine of Alice's; returns its UUID. */
  String boot(String name, String flavor) throws IOException, InterruptedException {
    Program.Ended ended =
        client(
            "alice",
            "demo",
            "server",
            "create",
            "--flavor=" + flavor,
            "--image=nothing",
            "--nic=none",
            "--wait",
            "--format=value",
            "--column=id",
            name);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** Deletes a machine of Alice's, as often as it takes. */
  boolean deletes(String machine) throws IOException, InterruptedException {
    Program.Ended ended = client("alice", "demo", "server", "delete", "--wait", machine);
    return ended.status() == 0 || ended.errors().contains("No server with a name or ID");
  }

  /** This pool's part of a machine's vendor data; an empty object for nothing. */
  JsonNode vendordata(String machine) throws IOException, InterruptedException {
    Program.Ended ended = run("vendordata", machine);
    return ended.status() == 0
        ? JSON.readTree(ended.output()).path("outboard")
        : JSON.createObjectNode();
  }

  /** Kills a service. */
  void kill(String service) throws IOException, InterruptedException {
    says("kill", service);
  }

  /** Begins one anew that was killed. */
  void again(String service) throws IOException, InterruptedException {
    says("again", service);
  }
}
