// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PosixTest {
  private final int[] pair = new int[2];
  private final Arena arena = Arena.ofShared();
  private long room;

  @BeforeEach
  void open() {
    assertEquals(0, Sockets.socketpair(pair));
    room = arena.allocate(4096, 8).address();
  }

  @AfterEach
  void close() {
    Posix.close(pair[0]);
    Posix.close(pair[1]);
    arena.close();
  }

  @Test
  void tooManyOpenFilesNameTheLimit() {
    IOException error =
        assertThrows(IOException.class, () -> Errno.check(-Errno.EMFILE, "a client"));
    assertTrue(error.getMessage().contains("ulimit -n"), error::getMessage);
  }

  @Test
  void bytesWrittenAreRead() {
    Native.putLong(room, 0x1122334455667788L);
    assertEquals(8, Posix.write(pair[0], room, 8));
    assertEquals(8, Posix.read(pair[1], room + 8, 100));
    assertEquals(0x1122334455667788L, Native.getLong(room + 8));
  }

  @Test
  void partsAreWrittenInOrder() {
    Native.putInt(room + 64, 1);
    Native.putInt(room + 128, 2);
    Native.putLong(room, room + 64);
    Native.putLong(room + 8, 4);
    Native.putLong(room + 16, room + 128);
    Native.putLong(room + 24, 4);
    assertEquals(8, Posix.writev(pair[0], room, 2));
    assertEquals(8, Posix.read(pair[1], room + 256, 8));
    assertEquals(0x2_0000_0001L, Native.getLong(room + 256));
  }

  @Test
  void failuresAreNegatedErrorNumbers() {
    assertEquals(-Errno.EBADF, Posix.read(-1, room, 8));
    assertEquals(-Errno.EBADF, Posix.close(-1));
    assertEquals(-Errno.ENOENT, Posix.unlink("/nonexistent/file"));
    assertEquals("Bad file descriptor", Errno.text(Errno.EBADF));
    Posix.fcntl(pair[1], Posix.F_SETFL, Posix.O_NONBLOCK);
    assertEquals(-Errno.EAGAIN, Posix.read(pair[1], room, 8));
  }

  @Test
  void aClosedPeerIsTheEndAndABrokenPipe() {
    Posix.close(pair[0]);
    pair[0] = -1;
    assertEquals(0, Posix.read(pair[1], room, 8));
    assertEquals(-Errno.EPIPE, Posix.write(pair[1], room, 8));
    assertTrue((Posix.poll(pair[1], Posix.POLLIN, 0) & Posix.POLLHUP) != 0);
  }

  @Test
  void pollSeesBytesAndTimeouts() {
    assertEquals(0, Posix.poll(pair[1], Posix.POLLIN, 1));
    Posix.write(pair[0], room, 1);
    assertEquals(Posix.POLLIN, Posix.poll(pair[1], Posix.POLLIN, Patience.milliseconds()));
  }

  @Test
  void shutdownEndsTheStream() {
    assertEquals(0, Sockets.shutdown(pair[0], Sockets.SHUT_WR));
    assertEquals(0, Posix.read(pair[1], room, 8));
  }

  @Test
  void descriptorsTravel() {
    int[] other = new int[2];
    Sockets.socketpair(other);
    assertEquals(1, Descriptors.send(pair[0], new int[] {other[0]}, room, 1));
    Posix.close(other[0]);
    int[] got = new int[2];
    assertEquals(1, Descriptors.receive(pair[1], got, room, 8));
    assertEquals(-1, got[1]);
    assertEquals(Posix.FD_CLOEXEC, Posix.fcntl(got[0], Posix.F_GETFD, 0));
    Native.putInt(room, 4711);
    assertEquals(4, Posix.write(got[0], room, 4));
    assertEquals(4, Posix.read(other[1], room + 8, 4));
    assertEquals(4711, Native.getInt(room + 8));
    Posix.close(got[0]);
    assertEquals(0, Posix.read(other[1], room, 1), "every copy of the descriptor was closed");
    Posix.close(other[1]);
  }

  @Test
  void descriptorsThatDoNotFitAreClosed() {
    int[] other = new int[2];
    Sockets.socketpair(other);
    assertEquals(1, Descriptors.send(pair[0], new int[] {other[0], other[0]}, room, 1));
    Posix.close(other[0]);
    int[] got = new int[1];
    assertEquals(1, Descriptors.receive(pair[1], got, room, 8));
    Posix.close(got[0]);
    assertEquals(0, Posix.read(other[1], room, 1));
    Posix.close(other[1]);
  }

  @Test
  void bytesWithoutDescriptorsBringNone() {
    Posix.write(pair[0], room, 3);
    int[] got = {7};
    assertEquals(3, Descriptors.receive(pair[1], got, room, 8));
    assertArrayEquals(new int[] {-1}, got);
  }

  @Test
  void thePeerOfAPairIsThisProcess() {
    assertEquals(Processes.getuid(), Sockets.peerUser(pair[0]));
    assertEquals(ProcessHandle.current().pid(), Sockets.peerProcess(pair[0]));
    assertEquals(ProcessHandle.current().pid(), Processes.getpid());
  }

  /** The bytes of {@code struct sockaddr_vm} (linux/vm_sockets.h). */
  @Test
  void aVsockAddressIsAsTheKernelHasIt() {
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = SocketAddress.vsock(arena, 3, 14900).toArray(ValueLayout.JAVA_BYTE);
      assertArrayEquals(new byte[] {40, 0, 0, 0, 0x34, 0x3a, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, bytes);
      MemorySegment address = SocketAddress.vsock(arena, -1, 1 << 20);
      assertEquals(1 << 20, SocketAddress.port(address));
      assertEquals("vsock 4294967295", SocketAddress.network(address));
    }
  }

  @Test
  void aGuestHasANumberAboveItsHosts() {
    assertTrue(Vsock.isGuest(3) && Vsock.isGuest(-2));
    assertFalse(Vsock.isGuest(0) || Vsock.isGuest(1) || Vsock.isGuest(2) || Vsock.isGuest(-1));
    assertFalse(Vsock.isGuest(Path.of("/dev/null")), "it is no vsock");
    assertFalse(Vsock.isGuest(Path.of("/nowhere/vsock")), "it is not there");
  }

  @Test
  void aSealedMemoryFileKeepsItsLength() {
    int fd = Memory.memfdCreate("test", Memory.MFD_CLOEXEC | Memory.MFD_ALLOW_SEALING);
    assertEquals(0, Memory.ftruncate(fd, 8192));
    int seals = Memory.F_SEAL_GROW | Memory.F_SEAL_SHRINK;
    assertEquals(0, Posix.fcntl(fd, Posix.F_ADD_SEALS, seals));
    assertEquals(-Errno.EPERM, Memory.ftruncate(fd, 4096));
    int protection = Memory.PROT_READ | Memory.PROT_WRITE;
    long one = Memory.mmap(0, 8192, protection, Memory.MAP_SHARED, fd, 0);
    long two = Memory.mmap(0, 8192, protection, Memory.MAP_SHARED, fd, 0);
    Native.putLong(one + 4096, 42);
    assertEquals(42, Native.getLong(two + 4096));
    int fixed = Memory.MAP_SHARED | Memory.MAP_FIXED_NOREPLACE;
    assertEquals(-Errno.EEXIST, Memory.mmap(one, 4096, protection, fixed, fd, 0));
    assertEquals(0, Memory.munmap(one, 8192));
    assertEquals(0, Memory.munmap(two, 8192));
    Posix.close(fd);
  }

  @Test
  void aProcessDescriptorTellsTheEnd() throws Exception {
    Process child = new ProcessBuilder("sleep", "60").start();
    int fd = Processes.pidfdOpen((int) child.pid());
    assertEquals(0, Posix.poll(fd, Posix.POLLIN, 0));
    assertEquals(0, Processes.kill((int) child.pid(), 0));
    assertEquals(0, Processes.kill((int) child.pid(), Processes.SIGKILL));
    assertEquals(
        Posix.POLLIN, Posix.poll(fd, Posix.POLLIN, Patience.milliseconds()) & Posix.POLLIN);
    Posix.close(fd);
    child.waitFor();
    assertEquals(-Errno.ESRCH, Processes.kill((int) child.pid(), 0));
  }

  @Test
  void thePersonalityIsReadable() {
    assertTrue(Processes.personality(Processes.PERSONALITY_QUERY) >= 0);
    assertEquals(0, Processes.setParentDeathSignal(0));
  }

  @Test
  void modesAreSet(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("f"), "x");
    assertEquals(0, Posix.chmod(file.toString(), 0600));
    assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
    int before = Posix.umask(0077);
    assertEquals(0077, Posix.umask(before));
    assertEquals(0, Posix.unlink(file.toString()));
  }

  @Test
  void tcpSocketsConnectByAddress() throws Exception {
    var loopback = java.net.InetAddress.getLoopbackAddress();
    int listener = Sockets.socket(SocketAddress.family(loopback));
    assertEquals(0, Sockets.bind(listener, SocketAddress.inet(arena, loopback, 0)));
    assertEquals(0, Sockets.listen(listener, 8));
    int port = Sockets.port(listener);
    int client = Sockets.socket(Sockets.AF_INET);
    MemorySegment address = SocketAddress.inet(arena, loopback, port);
    assertEquals(0, Sockets.connect(client, address));
    int server = Sockets.accept(listener);
    Sockets.setOption(client, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
    assertEquals(1, Sockets.option(client, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
    Posix.write(client, room, 5);
    assertEquals(5, Posix.read(server, room, 8));
    Posix.close(client);
    Posix.close(server);
    Posix.close(listener);
    int late = Sockets.socket(Sockets.AF_INET);
    assertEquals(-Errno.ECONNREFUSED, Sockets.connect(late, address));
    Posix.close(late);
  }

  /** In a virtual machine that waits for its compiler: hot code is compiled, however busy. */
  @Test
  void nothingIsAllocatedForAnExchange() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xbatch",
                "-cp",
                System.getProperty("java.class.path"),
                Exchanges.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long bytes = Long.parseLong(process.inputReader().readLine());
    assertEquals(0, process.waitFor());
    // The measurement itself allocates; one byte a call would be 3,000.
    assertTrue(bytes < 1_000, bytes + " bytes for 1,000 exchanges");
  }

  /** Prints what a thread allocates for so many exchanges. */
  static final class Exchanges {
    public static void main(String[] none) {
      var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      long self = Thread.currentThread().threadId();
      PosixTest test = new PosixTest();
      test.open();
      test.exchange(20_000);
      long before = threads.getThreadAllocatedBytes(self);
      test.exchange(1_000);
      System.out.println(threads.getThreadAllocatedBytes(self) - before);
      test.close();
    }
  }

  private void exchange(int times) {
    for (int i = 0; i < times; i++) {
      Posix.write(pair[0], room, 8);
      Posix.poll(pair[1], Posix.POLLIN, -1);
      Posix.read(pair[1], room, 8);
    }
  }

  @Test
  void aPathThatIsTooLongIsAnError() {
    String path = "/" + "x".repeat(SocketAddress.PATH);
    var error =
        org.junit.jupiter.api.Assertions.assertThrows(
            IllegalArgumentException.class, () -> SocketAddress.unix(arena, path));
    assertTrue(error.getMessage().contains("1 to 107 bytes"), error.getMessage());
    assertEquals(
        2 + 4 + 1, SocketAddress.unix(arena, "/tmp").byteSize() / ValueLayout.JAVA_BYTE.byteSize());
  }
}
