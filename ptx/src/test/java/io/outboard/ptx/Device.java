// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxHost;
import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxMemory;
import io.outboard.ptx.host.PtxTexture;
import io.outboard.ptx.host.PtxTrap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A small device for tests: memory that is handed out from the start, and two workers. */
final class Device implements PtxHost, AutoCloseable {
  static final long BASE = 0x7000_0000_0000L;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ExecutorService workers = Executors.newFixedThreadPool(1);
  private final StringBuilder printed = new StringBuilder();
  private final Map<Long, PtxTexture> textures = new HashMap<>();
  private final Map<Long, PtxImage> surfaces = new HashMap<>();
  private final int parallelism;
  private long next = 256;
  private volatile boolean cancelled;
  private long workspace;

  Device(long bytes) {
    this(bytes, 2);
  }

  Device(long bytes, int parallelism) {
    this.memory = arena.allocate(bytes, 4096);
    this.parallelism = parallelism;
  }

  /** The text of resource {@code path}. */
  static String resource(String path) {
    try (InputStream in = Device.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a module and places its variables. */
  PtxModule load(String text) {
    PtxModule module = PtxModule.parse(text);
    Map<String, Long> addresses = new HashMap<>();
    for (PtxVariable variable : module.variables()) {
      addresses.put(variable.name(), allocate(Math.max(variable.size(), 1)));
    }
    module.place(addresses);
    for (PtxVariable variable : module.variables()) {
      byte[] bytes = variable.initial();
      MemorySegment.copy(
          bytes,
          0,
          memory,
          ValueLayout.JAVA_BYTE,
          addresses.get(variable.name()) - BASE,
          bytes.length);
    }
    return module;
  }

  /** The address of {@code bytes} new bytes, a multiple of 256. */
  long allocate(long bytes) {
    long at = next;
    next += bytes + 255 & -256;
    return BASE + at;
  }

  long floats(float... values) {
    long address = allocate(4L * values.length);
    MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_FLOAT, address - BASE, values.length);
    return address;
  }

  long ints(int... values) {
    long address = allocate(4L * values.length);
    MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_INT, address - BASE, values.length);
    return address;
  }

  float[] floats(long address, int count) {
    return memory.asSlice(address - BASE, 4L * count).toArray(ValueLayout.JAVA_FLOAT);
  }

  int[] ints(long address, int count) {
    return memory.asSlice(address - BASE, 4L * count).toArray(ValueLayout.JAVA_INT);
  }

  byte[] bytes(long address, int count) {
    return memory.asSlice(address - BASE, count).toArray(ValueLayout.JAVA_BYTE);
  }

  void store(long address, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, address - BASE, bytes.length);
  }

  /** Launches with {@code arguments}: Integer, Long, Float, Double, or bytes that go on beyond. */
  void launch(PtxKernel kernel, Dim3 grid, Dim3 block, int shared, Object... arguments)
      throws PtxTrap {
    MemorySegment buffer = Arena.ofAuto().allocate(Math.max(kernel.parameterBytes(), 1), 16);
    for (int i = 0; i < arguments.length; i++) {
      store(buffer, kernel.parameters().get(i).offset(), arguments[i]);
    }
    kernel.launch(
        new PtxLaunch(
            grid,
            block,
            shared,
            buffer,
            new PtxMemory(memory, BASE),
            PtxMemory.NONE,
            workspace,
            this));
  }

  private static void store(MemorySegment buffer, long offset, Object argument) {
    switch (argument) {
      case Integer value -> buffer.set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
      case Long value -> buffer.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
      case Float value -> buffer.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, value);
      case byte[] bytes ->
          MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, offset, bytes.length);
      case Double value -> buffer.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, value);
      default -> throw new IllegalArgumentException("argument " + argument);
    }
  }

  synchronized String printed() {
    return printed.toString();
  }

  /** Launches are cooperative from now on; they have 8 bytes of zeros to wait with. */
  void cooperate(long zeros) {
    workspace = zeros;
  }

  void cancel() {
    cancelled = true;
  }

  @Override
  public synchronized void print(String text) {
    printed.append(text);
  }

  @Override
  public Executor executor() {
    return workers;
  }

  @Override
  public int parallelism() {
    return parallelism;
  }

  /** An object for a texture. */
  long object(PtxTexture texture) {
    long object = 100L + textures.size();
    textures.put(object, texture);
    return object;
  }

  /** An object for a surface. */
  long object(PtxImage surface) {
    long object = 200L + surfaces.size();
    surfaces.put(object, surface);
    return object;
  }

  @Override
  public PtxTexture texture(long object) {
    return textures.get(object);
  }

  @Override
  public PtxImage surface(long object) {
    return surfaces.get(object);
  }

  @Override
  public boolean cancelled() {
    return cancelled;
  }

  @Override
  public void close() {
    workers.shutdownNow();
    arena.close();
  }
}
