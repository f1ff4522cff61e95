// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.client.find.Backends;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.wire.Handles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToIntFunction;

/**
 * A GPU of a backend, used by any number of threads.
 *
 * <p>Work is done in the order in which it is given. A launch returns before its kernel has run;
 * what fails there is reported by a later call, {@link #synchronize} at the latest, as a {@link
 * GpuException}. Once the connection is lost, every call throws. Closing frees all that the GPU
 * holds for this program.
 */
public final class Gpu implements AutoCloseable {
  // CUdevice_attribute of the CUDA driver API.
  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int COMPUTE_CAPABILITY_MINOR = 76;
  private static final int NAME = 256;

  private final Session session;
  private final CudaDriver driver;
  private final int device;
  private final int lane;

  private Gpu(Session session, int device) {
    this.session = session;
    this.device = device;
    driver = new CudaDriverRemote(session);
    GpuException.check("cuInit", driver.cuInit(0));
    lane =
        Handles.index(
            answer("cuDevicePrimaryCtxRetain", at -> driver.cuDevicePrimaryCtxRetain(at, device)));
  }

  /**
   * Connects to the backend that programs of this user would find: that of the variable {@code
   * OUTBOARD}, of {@code outboard.properties}, or of the user's or the system's socket.
   *
   * @throws IOException if there is none or it cannot be used; the message says why
   */
  public static Gpu connect() throws IOException {
    Endpoint endpoint =
        new Backends()
            .find(Optional.empty())
            .orElseThrow(
                () -> new IOException("no backend found: start 'outboard serve', or set OUTBOARD"))
            .endpoint();
    return connect(endpoint, 0);
  }

  /**
   * Connects to a backend, and takes its first device.
   *
   * @param uri {@code unix:PATH}, {@code tcp://HOST[:PORT]} or {@code tls://[SHA256@]HOST[:PORT]}
   * @throws IOException if it cannot be used; the message says why
   * @throws IllegalArgumentException if it is no such URI
   */
  public static Gpu connect(String uri) throws IOException {
    return connect(uri, 0);
  }

  /**
   * Connects to a backend, and takes one of its devices, counted from 0.
   *
   * @see #connect(String)
   */
  public static Gpu connect(String uri, int device) throws IOException {
    return connect(Endpoint.parse(uri), device);
  }

  private static Gpu connect(Endpoint endpoint, int device) throws IOException {
    Session session = Session.open(endpoint, List.of(ClientLibrary.CUDA));
    try {
      return new Gpu(session, device);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /**
   * Takes a device of a session with {@link ClientLibrary#CUDA}; closing this closes the session.
   *
   * @param device counted from 0
   * @throws GpuException if there is no such device
   */
  public static Gpu of(Session session, int device) {
    return new Gpu(session, device);
  }

  /** The device's name, as its driver gives it. */
  public String name() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(NAME);
      GpuException.check("cuDeviceGetName", driver().cuDeviceGetName(text.address(), NAME, device));
      return text.getString(0);
    }
  }

  /** All of its memory, in bytes. */
  public long memoryBytes() {
    return answer("cuDeviceTotalMem", at -> driver().cuDeviceTotalMem_v2(at, device));
  }

  /** Its compute capability, major and minor: {@code "9.0"}. */
  public String computeCapability() {
    return attribute(COMPUTE_CAPABILITY_MAJOR) + "." + attribute(COMPUTE_CAPABILITY_MINOR);
  }

  private int attribute(int attribute) {
    return (int)
        answer("cuDeviceGetAttribute", at -> driver().cuDeviceGetAttribute(at, attribute, device));
  }

  /**
   * Allocates memory of the device; what is in it is not defined.
   *
   * @throws GpuException if there is not so much
   */
  public GpuMemory allocate(long bytes) {
    return new GpuMemory(
        this, answer("cuMemAlloc", at -> driver().cuMemAlloc_v2(at, bytes)), bytes, true);
  }

  /** Allocates memory for these values and writes them there. */
  public GpuMemory copyOf(float... values) {
    GpuMemory memory = allocate((long) values.length * Float.BYTES);
    memory.write(values);
    return memory;
  }

  /** Loads PTX text. */
  public GpuModule load(String ptx) {
    return load((ptx + "\0").getBytes(UTF_8));
  }

  /**
   * Loads an image: PTX ended by NUL, a cubin or a fat binary.
   *
   * @throws GpuException if the device has no use for it
   */
  public GpuModule load(byte[] image) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(image.length);
      bytes.copyFrom(MemorySegment.ofArray(image));
      return new GpuModule(
          this,
          answer(
              "cuModuleLoadData",
              at -> driver().cuModuleLoadData(at, bytes.address(), image.length)));
    }
  }

  /**
   * Waits for all that was launched.
   *
   * @throws GpuException if some of it failed
   */
  public void synchronize() {
    GpuException.check("cuCtxSynchronize", driver().cuCtxSynchronize());
  }

  @Override
  public void close() {
    session.close();
  }

  /** The driver, with the calling thread in this GPU's context. */
  CudaDriver driver() {
    session.lane(lane);
    return driver;
  }

  /** Makes a call that writes one value of 8 bytes, or fewer, to the address that it is given. */
  long answer(String call, LongToIntFunction issue) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
      GpuException.check(call, issue.applyAsInt(value.address()));
      return value.get(ValueLayout.JAVA_LONG, 0);
    }
  }
}
