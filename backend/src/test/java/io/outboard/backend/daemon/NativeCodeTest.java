// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.FakeService;
import io.outboard.backend.confine.Confinement;
import io.outboard.backend.confine.NativeCode;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose native code runs where workers cannot be confined. */
class NativeCodeTest {
  private static final int PATIENCE_MS = Patience.milliseconds();
  private static final Token LEASE = Token.random();

  @TempDir private Path folder;

  private Backend backend() throws IOException {
    Admission leases =
        new Admission() {
          @Override
          public Optional<Claim> claim(Bytes name) {
            return Optional.of(name)
                .filter(LEASE.name()::equals)
                .map(_ -> Claim.proving(LEASE, new Peer.Holder("lease", 1, "tenant")));
          }
        };
    return new Backend(
        folder, Daemon.builder().spareWorkers(0).devices(FakeService.NATIVE).admission(leases));
  }

  private static Hello hello() {
    Hello.Library fake =
        new Hello.Library(FakeService.NAME, FakeLibrary.NUMBER, 9, Bytes.zero(Message.IDENTITY));
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        1,
        Bytes.zero(Message.IDENTITY),
        Bytes.random(Message.NONCE),
        0,
        List.of(fake),
        new LinkedHashMap<>(),
        "test");
  }

  private static void greet(Backend backend, Hello hello, Optional<Token> token)
      throws IOException {
    int socket = backend.connect();
    try {
      GreetingClient.greet(socket, hello, true, token, PATIENCE_MS);
    } finally {
      Posix.close(socket);
    }
  }

  private static void assertRefused(Backend backend, Hello hello, Optional<Token> token) {
    IOException refused = assertThrows(IOException.class, () -> greet(backend, hello, token));
    assertTrue(
        refused.getMessage().contains("no native code may run in this session"),
        refused.getMessage());
  }

  @Test
  void onlyTheOperatorHasALibraryThatRunsIt() throws IOException {
    try (Backend backend = backend()) {
      assertDoesNotThrow(() -> greet(backend, hello(), Optional.empty()));
      assertRefused(backend, hello().withKey(LEASE), Optional.of(LEASE));
    }
  }

  /** It has the operator's token, and its clients are strangers. */
  @Test
  void aBackendThatHasJoinedThisOneIsNotItsOperator() throws IOException {
    try (Backend backend = backend()) {
      assertRefused(backend, hello().in(new Slot(1)), Optional.empty());
    }
  }

  @Test
  void theReasonIsTold() throws IOException {
    try (Backend backend = backend()) {
      assertEquals(
          "native code (OpenCL on processors, plug-ins): offered to the operator alone; workers"
              + " cannot be confined: this backend was started without the means",
          backend.daemon.nativeCode().text());
    }
    NativeCode unfiltered =
        Daemon.builder()
            .devices(FakeService.NATIVE)
            .confinedBy(folder)
            .workerFilter(WorkerFilter.LOG)
            .nativeCode(Optional.empty(), Optional.empty());
    assertTrue(unfiltered.text().endsWith("cannot be confined: --worker-filter is log"));
    Confinement none =
        Confinement.tried(Path.of("/nowhere"), Optional.empty(), List.of(), Map.of(), List.of());
    assertEquals("there is no /nowhere/outboard-confine", none.text());
  }
}
