// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.succession.SessionFacts;
import io.outboard.backend.succession.SessionFile;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.backend.worker.TakeOver;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The sessions that the daemon before has left, which go on under this one. */
final class LeftSessions {
  private final List<SessionFile> files;

  private LeftSessions(List<SessionFile> files) {
    this.files = files;
  }

  static LeftSessions in(Optional<SessionFolder> folder) throws IOException {
    return new LeftSessions(folder.isPresent() ? folder.get().left() : List.of());
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  /** No new worker is the user of one that may still be there. */
  void reserve(WorkerUsers users) {
    for (SessionFile file : files) {
      try {
        file.user().ifPresent(users::take);
      } catch (IOException e) {
        Log.debug("the user of a worker is not known: " + e.getMessage());
      }
    }
  }

  void takeOver(Workers workers, Sessions sessions) {
    files.forEach(file -> takeOver(file, workers, sessions));
  }

  /** A session, or what is left of one. */
  private static void takeOver(SessionFile file, Workers workers, Sessions sessions) {
    try {
      SessionFacts known = file.read();
      goOn(file, known, file.take(known), workers, sessions);
    } catch (TakeOver.OtherVersion e) {
      Log.warn("a session is not taken over, and goes on to its end: " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      Log.info("a session of the backend before is over: " + e.getMessage());
      if (!refuse(file)) {
        freeUser(file, workers);
      }
      file.close();
    }
  }

  private static void goOn(
      SessionFile file,
      SessionFacts known,
      SessionFile.Taken taken,
      Workers workers,
      Sessions sessions)
      throws IOException {
    WorkerProcess worker = workers.takeOver(known.worker(), known.user(), taken.connection());
    sessions.goOn(file, known, taken, worker);
  }

  /**
   * Tells the worker at this socket that no daemon takes it over. Returns whether a worker is
   * there.
   */
  private static boolean refuse(SessionFile file) {
    try {
      file.refuse();
      return true;
    } catch (IOException e) {
      Log.debug("nobody is told: " + e.getMessage());
      return false;
    }
  }

  private static void freeUser(SessionFile file, Workers workers) {
    try {
      file.user().ifPresent(workers::free);
    } catch (IOException e) {
      Log.debug("the user of a worker is not known: " + e.getMessage());
    }
  }
}
