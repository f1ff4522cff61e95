// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.backend.code.CallsPage;
import io.outboard.backend.system.Pause;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * How many calls run in all workers of code, so that each can tell its client how many processors
 * the next call will have. While there is one session, nobody counts.
 */
final class CodeLoad {
  private static final int LOOK_MS = 100;

  // These are guarded by this object's monitor.
  private final Set<CallsPage> pages = new HashSet<>();
  private boolean counting;

  /** A session begins: the page of its worker. */
  synchronized CallsPage enter() throws IOException {
    CallsPage page = CallsPage.create();
    pages.add(page);
    if (!counting && pages.size() > 1) {
      counting = true;
      Thread.ofPlatform().name("code-load").daemon(true).start(this::look);
    }
    return page;
  }

  /** A session is over, or has not begun. */
  synchronized void leave(CallsPage page) {
    pages.remove(page);
    page.close();
  }

  private void look() {
    while (count()) {
      Pause.ms(LOOK_MS);
    }
  }

  /** Whether there are still several. */
  synchronized boolean count() {
    int all = pages.stream().mapToInt(CallsPage::own).sum();
    pages.forEach(page -> page.others(all - page.own()));
    counting = pages.size() > 1;
    return counting;
  }
}
