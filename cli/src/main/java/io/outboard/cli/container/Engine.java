// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A container engine, and which options of its {@code run} stand without a value: all others take
 * the next word. Sources: the reference pages of {@code docker container run} (Docker 27) and
 * {@code podman-run(1)} (Podman 5).
 *
 * @param program its name
 * @param flags long options without a value
 * @param letters short options without a value
 */
record Engine(String program, Set<String> flags, String letters) {
  private static final List<String> COMMON =
      List.of(
          "--detach",
          "--disable-content-trust",
          "--help",
          "--init",
          "--interactive",
          "--no-healthcheck",
          "--oom-kill-disable",
          "--privileged",
          "--publish-all",
          "--quiet",
          "--read-only",
          "--rm",
          "--sig-proxy",
          "--tty");

  private static final List<String> PODMANS =
      List.of(
          "--env-host",
          "--http-proxy",
          "--no-hostname",
          "--no-hosts",
          "--passwd",
          "--read-only-tmpfs",
          "--replace",
          "--rmi",
          "--rootfs",
          "--tls-verify");

  static final Engine DOCKER = new Engine("docker", Set.copyOf(COMMON), "dihqtP");

  static final Engine PODMAN =
      new Engine(
          "podman",
          Stream.concat(COMMON.stream(), PODMANS.stream()).collect(Collectors.toUnmodifiableSet()),
          "dihqtP");

  /** From the command reference of Apptainer 1.3, for {@code exec} and {@code run}. */
  static final Engine APPTAINER =
      new Engine(
          "apptainer",
          Set.of(
              "--allow-setuid",
              "--cleanenv",
              "--compat",
              "--contain",
              "--containall",
              "--disable-cache",
              "--docker-login",
              "--fakeroot",
              "--help",
              "--ignore-fakeroot-command",
              "--ignore-subuid",
              "--ignore-userns",
              "--ipc",
              "--keep-privs",
              "--net",
              "--no-eval",
              "--no-home",
              "--no-https",
              "--no-init",
              "--no-privs",
              "--no-tmp-sandbox",
              "--no-umask",
              "--nv",
              "--nvccli",
              "--oom-kill-disable",
              "--passphrase",
              "--pid",
              "--rocm",
              "--sharens",
              "--underlay",
              "--unsquash",
              "--userns",
              "--uts",
              "--writable",
              "--writable-tmpfs"),
          "cCefinpuw");

  private static final Set<String> LXCS = Set.of("--help", "--quiet", "--version");

  /** From {@code lxc-execute(1)} of LXC 5. */
  static final Engine LXC_EXECUTE =
      new Engine(
          "lxc-execute",
          Stream.concat(LXCS.stream(), Stream.of("--daemon"))
              .collect(Collectors.toUnmodifiableSet()),
          "dq");

  /** From {@code lxc-attach(1)} of LXC 5. */
  static final Engine LXC_ATTACH =
      new Engine(
          "lxc-attach",
          Stream.concat(
                  LXCS.stream(),
                  Stream.of(
                      "--clear-env", "--elevated-privileges", "--keep-env", "--remount-sys-proc"))
              .collect(Collectors.toUnmodifiableSet()),
          "Req");

  /** Whether the option that a word has is followed by its value, in a word of its own. */
  boolean takesNext(String word) {
    return word.startsWith("--") ? isLongWithValue(word) : isShortWithValue(word);
  }

  private boolean isLongWithValue(String word) {
    return !word.contains("=") && !flags.contains(word);
  }

  /** Whether a word has an option without a value, under either of its names. */
  boolean has(String word, String name, char letter) {
    return word.startsWith("--")
        ? word.equals(name) || word.equals(name + "=true")
        : word.substring(1, 1 + withoutValue(word.substring(1))).indexOf(letter) >= 0;
  }

  /** Letters may stand together; what follows one that has a value is the value. */
  private boolean isShortWithValue(String word) {
    String several = word.substring(1);
    return withoutValue(several) == several.length() - 1;
  }

  /** Where a value stands in the word of an option that takes no further one. */
  int valueWithin(String word) {
    if (word.startsWith("--")) {
      int equals = word.indexOf('=');
      return equals < 0 ? word.length() : equals + 1;
    }
    return Math.min(word.length(), 2 + withoutValue(word.substring(1)));
  }

  /** The name in front of it. */
  static String nameBefore(String word, int value) {
    if (word.startsWith("--")) {
      return value < word.length() || word.endsWith("=") ? word.substring(0, value - 1) : word;
    }
    return value < word.length() ? "-" + word.charAt(value - 1) : word;
  }

  /** How many of these letters come before the first that has a value. */
  private int withoutValue(String several) {
    int first = 0;
    while (first < several.length() && letters.indexOf(several.charAt(first)) >= 0) {
      first++;
    }
    return first;
  }
}
