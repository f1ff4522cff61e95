// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** Times a trivial call over a socket pair beside a ping-pong of the same bytes. */
final class RoundTrip {
  private static final int COUNT = 20_000;

  private RoundTrip() {}

  /** Prints medians in microseconds. */
  public static void main(String[] arguments) throws Exception {
    int[] pair = new int[2];
    Sockets.socketpair(pair);
    int[] raw = new int[2];
    Sockets.socketpair(raw);
    Thread.ofPlatform().daemon(true).start(() -> pong(raw[1]));
    WorkerSession session =
        new WorkerSession(
            new Connection(new SocketStream(pair[1]), SharedPage.create()),
            1,
            "",
            SharedPage.create());
    session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, new FakeLibrary()));
    for (long gap : new long[] {0, 100_000, 2_000_000}) {
      for (int round = 0; round < 3; round++) {
        int count = gap > 1_000_000 ? 1000 : COUNT;
        long cpu = cpu();
        double plain = time(raw[0], 1, gap, count);
        long between = cpu();
        double call = time(pair[0], FakeLibrary.ECHO, gap, count);
        long after = cpu();
        System.out.printf(
            "gap %d us: ping-pong %.2f us (cpu %.2f us each), call %.2f us (cpu %.2f us each)%n",
            gap / 1000,
            plain,
            (between - cpu) / 1e3 / count,
            call,
            (after - between) / 1e3 / count);
      }
    }
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void pong(int socket) {
    NativeBuffer buffer = new NativeBuffer(4096);
    while (true) {
      long n = Posix.read(socket, buffer.address(), 4096);
      if (n <= 0) {
        return;
      }
      Posix.write(socket, buffer.address(), n);
    }
  }

  private static double time(int socket, int number, long gap, int count) {
    NativeBuffer buffer = new NativeBuffer(4096);
    long frame = buffer.address();
    Native.putInt(frame, 48);
    Native.putByte(frame + Frame.KIND, (byte) 1);
    Native.putByte(frame + Frame.FLAGS, (byte) 1);
    Native.putShort(frame + Frame.CALL, (short) number);
    Native.putInt(frame + Frame.LIBRARY, FakeLibrary.NUMBER);
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      if (gap > 0) {
        LockSupport.parkNanos(gap);
      }
      long start = System.nanoTime();
      Posix.write(socket, frame, 48);
      Posix.read(socket, frame + 128, 48);
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    return times[count / 2] / 1e3;
  }
}
