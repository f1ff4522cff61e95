// SPDX-License-Identifier: Apache-2.0
package hostile;

import io.outboard.offload.Offloaded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Tries it. */
@Offloaded
public final class HostileHere implements Hostile {
  private static final int PIECE = 1 << 20;

  private final AtomicInteger calls = new AtomicInteger();

  @Override
  public int count() {
    return calls.incrementAndGet();
  }

  @Override
  public void sleep(int milliseconds) throws InterruptedException {
    Thread.sleep(milliseconds);
  }

  @Override
  public void loop() {
    while (calls.get() >= 0) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void takeMemory(String how) {
    List<Object> taken = new ArrayList<>();
    for (; ; ) {
      taken.add(how.equals("heap") ? new byte[PIECE] : ByteBuffer.allocateDirect(PIECE));
    }
  }

  @Override
  public void end() {
    Runtime.getRuntime().halt(0);
  }

  @Override
  public String attempt(String what) {
    try {
      return tried(what);
    } catch (Throwable e) {
      return "refused: " + e;
    }
  }

  private static String tried(String what) throws IOException, ReflectiveOperationException {
    String[] words = what.split(" ", 2);
    switch (words[0]) {
      case "run":
        return "ran " + new ProcessBuilder(words[1]).start().pid();
      case "connect":
        try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(words[1]))) {
          return "connected to " + socket;
        }
      case "read":
        return "read " + Files.readString(Path.of(words[1]));
      case "write":
        return "wrote " + Files.writeString(Path.of(words[1]), "x");
      case "load":
        return "loaded " + Class.forName(words[1]);
      case "count":
        return "counted " + Runtime.getRuntime().availableProcessors();
      case "see":
        return "saw " + ProcessHandle.of(Long.parseLong(words[1])).orElseThrow();
      default:
        throw new IllegalArgumentException(what);
    }
  }
}
