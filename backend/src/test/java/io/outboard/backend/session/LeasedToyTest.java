// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.RawClient;
import io.outboard.backend.ToyService;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.quota.SlicePlace;
import io.outboard.backend.slices.SessionSlices;
import io.outboard.backend.system.EventCount;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.patience.Patience;
import io.outboard.testkit.ToyKinds;
import io.outboard.testkit.ToyResult;
import io.outboard.testkit.ToyTable;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A lease binds a library that knows nothing of leases: the toy library has its description and no
 * other word about what its calls take.
 */
final class LeasedToyTest {
  private static final int ANSWER = Frame.FLAG_ANSWER;
  private static final int CREATE_BUFFER = 20;
  private static final int DESTROY_BUFFER = 22;
  private static final int CREATE_STREAM = 30;
  private static final int POST = 31;
  private static final int LAST = 32;
  private static final int POSTED = 7;
  private static final int KIND_SHIFT = 34;
  private static final long LIMIT = 1000;
  private static final long PRESENT = 1;

  private RawClient client;
  private WorkerSession session;
  private SharedPage shared;
  private QuotaPage quota;
  private EventCount events;

  @BeforeEach
  void open() throws IOException {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    shared = SharedPage.create();
    quota = QuotaPage.create(List.of(LIMIT, LIMIT));
    events = EventCount.create();
    client = new RawClient(pair[0]);
    client.use(ToyTable.ID);
    session =
        new WorkerSession(new Connection(new SocketStream(pair[1]), shared), 5, "software", shared);
    List<Allotment.Gpu> gpus =
        IntStream.range(0, 2).mapToObj(i -> new Allotment.Gpu(i, "GPU-" + i)).toList();
    session
        .context()
        .allot(new Allotment(gpus, quota.descriptor(), 0, events.descriptor(), Allotment.WHOLE));
    session.serve(
        WorkerLibraries.of(
            ToyTable.LIBRARY, ToyTable.ID, new ToyService().open(session.context())));
  }

  @AfterEach
  void close() throws InterruptedException {
    SessionSlices.of(session.context()).end();
    session.end("the test is over", true);
    session.free();
    client.close();
    events.close();
    quota.close();
    shared.close();
  }

  private static long handle(int kind, int index) {
    return (long) kind << KIND_SHIFT | index;
  }

  private int buffer(int index, long bytes) {
    client.call(CREATE_BUFFER, ANSWER, 0, 1, PRESENT, handle(ToyKinds.BUFFER, index), bytes);
    return client.receive().result();
  }

  /** It does not say which device it takes of: it counts on each. */
  private void used(long bytes) {
    assertEquals(bytes, quota.used(0));
    assertEquals(bytes, quota.used(1));
  }

  @Test
  void memoryIsCountedRefusedAndGivenBack() {
    assertEquals(ToyResult.SUCCESS, buffer(1, 600));
    used(600);
    assertEquals(ToyResult.OUT_OF_MEMORY, buffer(2, 401));
    used(600);
    assertEquals(ToyResult.SUCCESS, buffer(2, 400));
    used(LIMIT);
    client.call(DESTROY_BUFFER, ANSWER, 0, 1, handle(ToyKinds.BUFFER, 1));
    assertEquals(ToyResult.SUCCESS, client.receive().result());
    used(400);
    assertEquals(ToyResult.SUCCESS, buffer(3, 600));
  }

  @Test
  void aCallThatFailsTakesNothing() {
    assertEquals(ToyResult.OUT_OF_MEMORY, buffer(1, -1));
    used(0);
    client.call(CREATE_BUFFER, ANSWER, 0, 1, 0, 0, 500);
    assertEquals(ToyResult.INVALID_VALUE, client.receive().result());
    used(0);
  }

  @Test
  void workWaitsForTheTimeSliceOfEachDeviceAndIsMeasured() throws InterruptedException {
    long stream = handle(ToyKinds.STREAM, 1);
    client.call(CREATE_STREAM, ANSWER, 0, 1, PRESENT, stream);
    assertEquals(ToyResult.SUCCESS, client.receive().result());
    client.call(POST, 0, 0, 1, stream, POSTED);
    for (int gpu = 0; gpu < 2; gpu++) {
      SlicePlace place = quota.slice(0, gpu);
      Patience.until("it asks for its slice", () -> SlicePlace.wants(place.request()));
      place.grant(place.request());
      place.advance();
    }
    client.call(LAST, ANSWER, 0, 1, PRESENT, stream);
    RawClient.Received last = client.receive();
    assertEquals(POSTED, (int) last.word(0));
    Patience.until("its time is counted", () -> quota.slice(0, 0).busy() > 0);
  }

  @Test
  void whatOnlyAsksIsNotHeldUp() {
    long stream = handle(ToyKinds.STREAM, 1);
    client.call(CREATE_STREAM, ANSWER, 0, 1, PRESENT, stream);
    assertEquals(ToyResult.SUCCESS, client.receive().result());
    client.call(LAST, ANSWER, 0, 1, PRESENT, stream);
    assertEquals(ToyResult.SUCCESS, client.receive().result());
    assertFalse(SlicePlace.wants(quota.slice(0, 0).request()));
    assertTrue(quota.slice(0, 0).busy() == 0);
  }
}
