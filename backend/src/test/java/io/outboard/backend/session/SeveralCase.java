// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.FakeLibrary;
import io.outboard.backend.FakeService;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.system.SharedPage;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A session whose frames come in three ways, and may have to wait for each other. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
abstract class SeveralCase {
  static final int POSTED = 0;
  static final int ANSWER = Frame.FLAG_ANSWER;
  static final int ME = 1;
  static final int OTHER = 2;
  static final long EVERYTHING = Long.MAX_VALUE;

  final FakeLibrary library = new FakeLibrary();
  WorkerSession session;
  private SharedPage page;

  final void serve(FakeRing first) throws IOException {
    page = SharedPage.create();
    session = new WorkerSession(new Connection(first, page), 5, "software", page);
    session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, library));
  }

  @AfterEach
  final void close() throws InterruptedException {
    library.permits.release(1 << 20);
    session.end("the test is over", true);
    session.free();
    page.close();
  }

  static void call(FakeRing ring, int flags, int call, int thread, long sequence, long fence) {
    ring.send(Frame.KIND_CALL, flags, call, FakeLibrary.NUMBER, thread, sequence, fence, sequence);
  }

  final void awaitNoted(Long... numbers) throws InterruptedException {
    Patience.until(() -> "noted " + library.noted, () -> library.noted.equals(List.of(numbers)));
  }
}
