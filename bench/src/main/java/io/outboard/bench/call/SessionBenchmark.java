// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.backend.daemon.SessionHost;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Calls of a JVM client to a session in the same virtual machine, over a Unix socket, so that
 * allocations of either side are seen here.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 5, time = 1)
public class SessionBenchmark {
  private static final int POSTED = 100;

  private final Arena arena = Arena.ofShared();
  private final long scratch = arena.allocate(64, 8).address();
  private Path folder;
  private SessionHost host;
  private Session session;
  private CudaDriver driver;
  private long event;

  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("outboard-bench");
    Endpoint endpoint = Endpoint.unix(folder.resolve("session.sock").toString());
    host = SessionHost.listen(endpoint, "software");
    session = Session.open(endpoint, List.of(ClientLibrary.CUDA));
    driver = new CudaDriverRemote(session);
    enterContext();
  }

  private void enterContext() {
    check(driver.cuInit(0));
    check(driver.cuDevicePrimaryCtxRetain(scratch, 0));
    session.lane(Handles.index(Native.getLong(scratch)));
    check(driver.cuEventCreate(scratch, 0));
    event = Native.getLong(scratch);
  }

  private static void check(int result) {
    if (result != 0) {
      throw new IllegalStateException("error " + result);
    }
  }

  /** A call that is answered. */
  @Benchmark
  public int plain() {
    return driver.cuDriverGetVersion(scratch);
  }

  /** Calls that are not answered, and one that waits for them. */
  @Benchmark
  @OperationsPerInvocation(POSTED)
  public int posted() {
    for (int i = 1; i < POSTED; i++) {
      driver.cuEventRecord(event, 0);
    }
    return driver.cuCtxSynchronize();
  }

  @TearDown
  public void close() throws IOException {
    session.close();
    host.close();
    arena.close();
    Files.deleteIfExists(folder.resolve("session.sock"));
    Files.delete(folder);
  }
}
