// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of a worker's user after the worker's end: programs that a client had it start. */
final class UserProcesses {
  private static final int ROUNDS = 50;
  private static final int ROUND_MS = 20;

  private UserProcesses() {}

  /**
   * Ends all processes of a user; for the superuser.
   *
   * @return false if some are still there after a second
   */
  static boolean end(int user) {
    for (int i = 0; i < ROUNDS; i++) {
      List<ProcessHandle> left = ProcessHandle.allProcesses().filter(one -> is(one, user)).toList();
      if (left.isEmpty()) {
        return true;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      Pause.ms(ROUND_MS);
    }
    return false;
  }

  /** One that has ended and that nobody has waited for runs no more. */
  private static boolean is(ProcessHandle process, int user) {
    try {
      List<String> status =
          Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"));
      return status.stream().anyMatch(line -> isUser(line, user))
          && status.stream().noneMatch(line -> line.startsWith("State:\tZ"));
    } catch (IOException gone) {
      return false;
    }
  }

  /** Real, effective, saved, and of files. */
  private static boolean isUser(String line, int user) {
    return line.startsWith("Uid:")
        && List.of(line.split("\t", -1)).contains(Integer.toString(user));
  }
}
