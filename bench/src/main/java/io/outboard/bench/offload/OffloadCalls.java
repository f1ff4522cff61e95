// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.bench.measure.Samples;
import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A program that offloads: {@code ENDPOINT TOKEN-FILE JAR BYTES COUNT}. */
public final class OffloadCalls {
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);

  private OffloadCalls() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    try (Offloading offloading =
        Offloading.to(arguments[0])
            .token(Files.readString(Path.of(arguments[1])))
            .code(Code.of(Path.of(arguments[2])))
            .build()) {
      byte[] bytes = new byte[Integer.parseInt(arguments[3])];
      measure(TakerRemote.of(offloading), bytes, Integer.parseInt(arguments[4]));
    }
  }

  private static void measure(Taker taker, byte[] bytes, int count) throws IOException {
    Samples samples = new Samples("offload", count);
    long warm = System.nanoTime() + WARM_UP_NS;
    while (System.nanoTime() < warm) {
      take(taker, bytes);
    }
    samples.begin();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      take(taker, bytes);
      samples.add(System.nanoTime() - start);
    }
    samples.end();
  }

  private static void take(Taker taker, byte[] bytes) {
    if (taker.take(bytes) != bytes.length) {
      throw new IllegalStateException("another number of bytes");
    }
  }
}
