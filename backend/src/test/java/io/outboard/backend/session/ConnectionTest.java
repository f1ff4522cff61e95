// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.system.SharedPage;
import io.outboard.backend.warmup.StreamPair;
import io.outboard.wire.Frame;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConnectionTest {
  /** The rings are unmapped by then: a write there would end the process. */
  @Test
  void nothingIsWrittenOnceItIsClosed() throws IOException {
    StreamPair ends = StreamPair.overRings(RegionOffer.of(Region.LEAST_RING, 0, 0));
    try (SharedPage page = SharedPage.create()) {
      Connection connection = new Connection(ends.backend(), page);
      connection.shutdown();
      connection.close();
      assertThrows(EOFException.class, () -> connection.send(Frame.KIND_PONG, new byte[0]));
    } finally {
      ends.client().close();
    }
  }
}
