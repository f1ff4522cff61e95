// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.RawClient;
import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.testkit.Amount;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A joined host that says anything. What a call is answered with stays in the memory that it has
 * for that, no address outside of the host's slot is handed out, and the devices here go on.
 */
class LyingHostTest {
  private static final int HOSTS = Amount.of(100, 3_000);
  private static final int CALLS = 60;
  private static final int ROOM = 64;
  private static final byte UNTOUCHED = 0x5a;
  private static final Slot HERE = new Slot(0);

  private final NativeBuffer memory = new NativeBuffer(4096);
  private final long out = memory.address() + ROOM;

  /** Reads frames, and answers those that are calls. */
  private static final class Liar implements Runnable {
    private final RawClient frames;
    private final Random random;

    Liar(int socket, long seed) {
      frames = new RawClient(socket);
      random = new Random(seed);
    }

    @Override
    public void run() {
      RawClient.Received one = frames.receive();
      for (int calls = 0; one != null; one = frames.receive()) {
        if (one.kind() == Frame.KIND_CALL && (one.flags() & Frame.FLAG_ANSWER) != 0) {
          answer(one, calls++);
        }
      }
      frames.close();
    }

    /** Its first two say that it has devices. */
    private void answer(RawClient.Received call, int number) {
      int words = number == 0 ? 0 : number < 3 || random.nextInt(3) > 0 ? 1 : random.nextInt(5);
      byte[] frame = new byte[Frame.HEADER + 8 * words];
      put(frame, Frame.LENGTH, frame.length);
      frame[Frame.KIND] = Frame.KIND_REPLY;
      put(frame, Frame.THREAD, call.thread());
      put(frame, Frame.RESULT, random.nextInt(20) == 0 ? random.nextInt() : 0);
      put(frame, Frame.SEQUENCE, (int) call.sequence());
      for (int i = 0; i < 2 * words; i++) {
        put(frame, Frame.HEADER + 4 * i, word(number));
      }
      boolean unused = frames.raw(frame);
    }

    private int word(int number) {
      int[] edges = {0, 1, 2, 8, 16, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x2a00};
      return number == 1 && random.nextInt(4) > 0 ? 2 : edges[random.nextInt(edges.length)];
    }

    private static void put(byte[] to, int at, int value) {
      for (int i = 0; i < 4; i++) {
        to[at + i] = (byte) (value >>> (8 * i));
      }
    }
  }

  private static Welcome welcome() {
    BitSet calls = new BitSet();
    calls.set(1, CudaDriverTable.LEVEL + 1);
    Bytes none = Bytes.zero(Message.IDENTITY);
    Welcome.Library cuda =
        new Welcome.Library(
            CudaDriverTable.LIBRARY, CudaDriverTable.ID, CudaDriverTable.LEVEL, calls);
    return new Welcome(Message.VERSION, none, none, Bytes.zero(Message.NONCE), List.of(cuda));
  }

  private static int[] sockets() throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    return pair;
  }

  @Test
  void whatAHostSaysStaysWithinItsAnswers() throws Exception {
    try (SharedPage page = SharedPage.create()) {
      for (int seed = 0; seed < HOSTS; seed++) {
        withALiar(page, seed);
      }
    }
    memory.close();
  }

  private void withALiar(SharedPage page, long seed) throws Exception {
    int[] link = sockets();
    int[] client = sockets();
    Thread liar = Thread.ofPlatform().daemon().start(new Liar(link[0], seed));
    WorkerSession near =
        new WorkerSession(new Connection(new SocketStream(client[0]), page), 0, "software", page);
    near.context()
        .join(
            List.of(new JoinedHost(FarHost.SLOT, "far", link[1], welcome())),
            (host, milliseconds) -> {
              throw new IOException("no connection is made in this test");
            });
    RemoteHost remote = RemoteHost.of(near.context()).getFirst();
    CudaDriver local =
        SoftGpu.builder(new SilentConsole()).memoryBytes(1 << 20).devices(1).in(HERE).build();
    use(RoutedCuda.of(local, List.of(remote)), new Random(~seed));
    remote.session().close();
    near.end("the test is over", true);
    near.free();
    Posix.close(client[1]);
    liar.join();
  }

  private void use(CudaDriver gpus, Random random) {
    assertEquals(CudaResult.SUCCESS, gpus.cuInit(0));
    assertEquals(CudaResult.SUCCESS, gpus.cuDeviceGetCount(out));
    int count = Native.getInt(out);
    assertTrue(count >= 1 && count <= 1 + CudaHosts.MOST_DEVICES, () -> count + " devices");
    for (int i = 0; i < CALLS; i++) {
      int device = random.nextInt(3);
      Native.fill(memory.address(), 4096, UNTOUCHED);
      int written = call(gpus, random.nextInt(7), device);
      for (int at = 0; at < ROOM; at++) {
        assertEquals(UNTOUCHED, Native.getByte(out - 1 - at));
        assertEquals(UNTOUCHED, Native.getByte(out + written + at));
      }
    }
    assertEquals(CudaResult.SUCCESS, gpus.cuDeviceTotalMem_v2(out, 0));
  }

  /** The bytes that it may have written. */
  private int call(CudaDriver gpus, int which, int device) {
    int unused = gpus.cuDevicePrimaryCtxRetain(out, device);
    unused = gpus.cuCtxSetCurrent(unused == CudaResult.SUCCESS ? Native.getLong(out) : 0);
    return switch (which) {
      case 0 -> written(8, gpus.cuMemGetInfo_v2(out, out));
      case 1 -> written(16, gpus.cuMemGetInfo_v2(out, out + 8));
      case 2 -> allocated(gpus.cuMemAlloc_v2(out, 4096), device);
      case 3 -> written(24, gpus.cuDeviceGetName(out, 24, device));
      case 4 -> written(16, gpus.cuDeviceGetUuid_v2(out, device));
      case 5 -> written(40, gpus.cuMemcpyDtoH_v2(out, 0x2a0000000000L + (1L << 42), 40));
      default -> written(8, gpus.cuDeviceGetAttribute(out, 5, device));
    };
  }

  private int allocated(int result, int device) {
    if (result == CudaResult.SUCCESS) {
      long address = Native.getLong(out);
      assertTrue((device == 0 ? HERE : FarHost.SLOT).holds(address) || HERE.holds(address));
    }
    return 8;
  }

  private static int written(int bytes, int unused) {
    return bytes;
  }
}
