// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Kubernetes of one node on this machine: {@code conformance/kubernetes/cluster}. */
final class SmallKubernetes {
  /** As the page has it, so that it is made once. */
  private static final Path ROOT = Path.of("/var/tmp/outboard-kubernetes");

  private static final Path SCRIPT = Home.PATH.resolve("conformance/kubernetes/cluster");
  private static final Duration LIMIT = Duration.ofMinutes(10);

  static boolean isHere() {
    return Files.isExecutable(ROOT.resolve("bin/kubelet"));
  }

  /** Why it is not. */
  static String absent() {
    return "no Kubernetes is there: " + SCRIPT + " make " + ROOT;
  }

  /** Ends one that somebody has started. */
  static void stop() throws IOException, InterruptedException {
    says("stop");
  }

  /** Starts all of it, which knows nothing yet. */
  static SmallKubernetes start() throws IOException, InterruptedException {
    says("start");
    return new SmallKubernetes();
  }

  private static void says(String verb, String... words) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of(SCRIPT.toString(), verb, ROOT.toString()), Stream.of(words))
            .toList();
    Program.Ended ended = Program.run(command, Map.of(), LIMIT);
    assertEquals(0, ended.status(), ended::toString);
  }

  /** The file by which an administrator reaches it. */
  Path kubeconfig() {
    return ROOT.resolve("run/kubeconfig");
  }

  /** Runs kubectl as the administrator. */
  Program.Ended kubectl(String... words) throws IOException, InterruptedException {
    return Program.run(
        Stream.concat(Stream.of("kubectl"), Stream.of(words)).toList(),
        Map.of("KUBECONFIG", kubeconfig().toString()));
  }

  /** The output of kubectl, which succeeds. */
  String get(String... words) throws IOException, InterruptedException {
    Program.Ended ended = kubectl(words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** Has the node know an image. */
  void image(Path file) throws IOException, InterruptedException {
    says("image", file.toString());
  }

  /** Kills one of its processes. */
  void kill(String process) throws IOException, InterruptedException {
    says("kill", process);
  }

  /** Begins one anew that was killed. */
  void again(String process) throws Exception {
    says("again", process);
    Patience.until(
        () -> "the API server is ready after " + process,
        () -> kubectl("get", "--raw", "/readyz").status() == 0);
  }
}
