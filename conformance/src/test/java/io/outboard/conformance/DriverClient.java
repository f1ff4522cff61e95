// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.vendor.VendorCudaDriver;
import io.outboard.softgpu.SoftGpu;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.wire.Handles;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/** The ways of a program to a driver; the variable {@code OUTBOARD} names the backend. */
enum DriverClient {
  /** The software GPU itself, which says what is right. */
  SOFTWARE,
  /** The client for native programs. */
  NATIVE,
  /** The client for the JVM. */
  JVM;

  /**
   * A driver.
   *
   * @param enter makes a context the calling thread's
   */
  record Opened(CudaDriver driver, LongConsumer enter) {}

  Opened open() throws IOException {
    return switch (this) {
      case SOFTWARE -> current(SoftGpu.builder(new Console()).build());
      case NATIVE -> current(VendorCudaDriver.load("libcuda.so.1"));
      case JVM -> session();
    };
  }

  private static Opened current(CudaDriver driver) {
    return new Opened(driver, context -> DriverProgram.ok(driver.cuCtxSetCurrent(context)));
  }

  /** It lasts as long as the process. */
  private static Opened session() throws IOException {
    Endpoint endpoint = Endpoint.parse(System.getenv("OUTBOARD"));
    Session session = Session.open(endpoint, List.of(ClientLibrary.CUDA));
    return new Opened(
        new CudaDriverRemote(session), context -> session.lane(Handles.index(context)));
  }

  private static final class Console implements DeviceConsole {
    @Override
    public void output(String text) {
      System.err.print(text);
    }

    @Override
    public void error(String text) {
      System.err.print(text);
    }

    @Override
    public void message(String line) {
      System.err.println(line);
    }
  }
}
