// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.wire.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The operator's settings of offloaded code, in a file of lines. {@code jars FOLDER} is where jars
 * are and sent ones stay; {@code operator SHA256} and {@code tenant NAME SHA256} let a jar run, and
 * {@code operator-signer SHA256} and {@code tenant-signer NAME SHA256} those that a certificate of
 * this fingerprint has signed; {@code memory MIB} bounds each worker, {@code processors N} and
 * {@code call-seconds N} too; {@code sessions N} is for how many there are at a time, and {@code
 * tenant-sessions N} for each tenant; {@code gpu N} is the device that code has. A line that begins
 * with {@code #} is a comment.
 *
 * @param jars the folder
 * @param allowed whose code may run
 */
public record OffloadSettings(Path jars, AllowList allowed, Bounds bounds) {
  private static final int OTHERS_WRITE = 022;
  private static final int ROOT = 0;
  private static final int MOST_NUMBER = 1 << 20;

  /**
   * The bounds of workers of code.
   *
   * @param memory bytes
   * @param processors that all of them use together
   * @param callSeconds for how long a call may run
   * @param sessions at a time, of all tenants
   * @param tenantSessions at a time, of one
   * @param gpu which device code has, of those that a program here sees, from 0
   */
  public record Bounds(
      long memory, int processors, int callSeconds, int sessions, int tenantSessions, int gpu) {
    private static final long MIB = 1 << 20;
    private static final int HEAP_PART = 2;
    private static final int DIRECT_PART = 8;

    /** Options of a worker's virtual machine. */
    public List<String> machineOptions() {
      return List.of(
          "-Xmx" + memory / HEAP_PART,
          "-XX:MaxDirectMemorySize=" + memory / DIRECT_PART,
          "-XX:MaxMetaspaceSize=" + memory / DIRECT_PART,
          "-XX:+ExitOnOutOfMemoryError");
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be used; the message says why
   */
  public static OffloadSettings read(Path file) throws IOException {
    requireOwn(file);
    Reading reading = new Reading(file);
    for (String line : Files.readAllLines(file)) {
      reading.take(line.strip());
    }
    return reading.settings();
  }

  /** Its writers say which code runs here. */
  private static void requireOwn(Path file) throws IOException {
    int owner = (int) Files.getAttribute(file, "unix:uid");
    int mode = (int) Files.getAttribute(file, "unix:mode");
    int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if ((owner != ROOT && owner != own) || (mode & OTHERS_WRITE) != 0) {
      throw new IOException(file + " is to be this user's, and no other's to write");
    }
  }

  /** A file that is being read. */
  private static final class Reading {
    private static final Set<String> DIGESTS_FOLLOW = Set.of("operator", "operator-signer");
    private static final Set<String> NAMES_FOLLOW = Set.of("tenant", "tenant-signer");

    private final Path file;
    private final AllowList.Builder allowed = new AllowList.Builder();
    private final Set<String> said = new TreeSet<>();
    private Path jars;
    private long memory = 1024;
    private int processors = 2;
    private int callSeconds = 600;
    private int sessions = 16;
    private int tenantSessions = 4;
    private int gpu;
    private int number;

    Reading(Path file) {
      this.file = file;
    }

    void take(String line) throws IOException {
      number++;
      if (line.isEmpty() || line.startsWith("#")) {
        return;
      }
      List<String> words = new ArrayList<>(List.of(line.split("\\s+")));
      String name = words.removeFirst();
      boolean named = NAMES_FOLLOW.contains(name);
      if (!named && !DIGESTS_FOLLOW.contains(name) && !said.add(name)) {
        throw wrong(name + " is there twice");
      }
      if (words.size() != (named ? 2 : 1)) {
        throw wrong("'" + line + "' has too many words, or too few");
      }
      take(name, words);
    }

    private void take(String name, List<String> words) throws IOException {
      switch (name) {
        case "jars" -> jars = file.toAbsolutePath().resolveSibling(words.getFirst());
        case "operator" -> allowed.operator(digest(words.getFirst()));
        case "operator-signer" -> allowed.operatorSigner(fingerprint(words.getFirst()));
        case "tenant" -> allowed.tenant(words.getFirst(), digest(words.getLast()));
        case "tenant-signer" ->
            allowed.tenantSigner(words.getFirst(), fingerprint(words.getLast()));
        case "memory" -> memory = number(words.getFirst(), 64);
        case "processors" -> processors = number(words.getFirst(), 1);
        case "call-seconds" -> callSeconds = number(words.getFirst(), 1);
        case "sessions" -> sessions = number(words.getFirst(), 1);
        case "tenant-sessions" -> tenantSessions = number(words.getFirst(), 1);
        case "gpu" -> gpu = number(words.getFirst(), 0);
        default -> throw wrong("'" + name + "' is no setting");
      }
    }

    private Bytes digest(String digits) throws IOException {
      if (!digits.matches("[0-9a-f]{64}")) {
        throw wrong("a SHA-256 is 64 hexadecimal digits in lower case, as of sha256sum");
      }
      return Jars.digest(digits);
    }

    /** As {@code keytool} prints it, or as other digests. */
    private Bytes fingerprint(String digits) throws IOException {
      return digest(digits.replace(":", "").toLowerCase(Locale.ROOT));
    }

    private int number(String digits, int least) throws IOException {
      if (digits.matches("[0-9]{1,7}")) {
        int value = Integer.parseInt(digits);
        if (value >= least && value <= MOST_NUMBER) {
          return value;
        }
      }
      throw wrong("'" + digits + "': a number from " + least + " to " + MOST_NUMBER);
    }

    private IOException wrong(String why) {
      return new IOException("%s, line %d: %s".formatted(file, number, why));
    }

    OffloadSettings settings() throws IOException {
      if (jars == null) {
        throw new IOException(file + ": there is no line 'jars FOLDER'");
      }
      return new OffloadSettings(
          jars,
          allowed.build(),
          new Bounds(memory * Bounds.MIB, processors, callSeconds, sessions, tenantSessions, gpu));
    }
  }
}
