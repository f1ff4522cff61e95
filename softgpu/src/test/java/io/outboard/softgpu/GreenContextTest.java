// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceResource;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.wire.Native;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Green contexts: their multiprocessors, their streams, and events behind all of a context. */
class GreenContextTest extends DriverTest {
  private static final int MULTIPROCESSORS = 1;
  private static final long COUNT_AT = 96;

  private final HostFunctions functions = new HostFunctions();
  private final CountDownLatch open = new CountDownLatch(1);

  @Override
  CudaDriver create() {
    return SoftGpu.builder(console())
        .profile(DeviceProfile.software(20))
        .memoryBytes(MEMORY_BYTES)
        .build();
  }

  @AfterEach
  void openAll() {
    open.countDown();
  }

  private long resource() {
    long resource = program().bytes(DeviceResource.BYTES);
    ok(driver().cuDeviceGetDevResource(0, resource, MULTIPROCESSORS));
    return resource;
  }

  private long green() {
    ok(driver().cuDevResourceGenerateDesc(program().out(), resource(), 1));
    ok(driver().cuGreenCtxCreate(program().out(), program().value(), 0, 1));
    return program().value();
  }

  private long stream(long green) {
    ok(driver().cuGreenCtxStreamCreate(program().out(), green, 1, 0));
    return program().value();
  }

  private long event() {
    ok(driver().cuEventCreate(program().out(), 0));
    return program().value();
  }

  /** Work that goes on until the end of the test opens it. */
  private void block(long stream) {
    long function =
        functions.address(
            unused -> {
              try {
                open.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            });
    ok(driver().cuLaunchHostFunc(stream, function, 0));
  }

  @Test
  void multiprocessorsAreDivided() {
    long groups = program().bytes(2 * DeviceResource.BYTES);
    long rest = program().bytes(DeviceResource.BYTES);
    long count = program().ints(2);
    ok(driver().cuDevSmResourceSplitByCount(groups, count, resource(), rest, 0, 3));
    int each = Native.getInt(groups + COUNT_AT);
    assertEquals(2, Native.getInt(count));
    assertEquals(true, each >= 3, () -> "each has " + each);
    assertEquals(each, Native.getInt(groups + DeviceResource.BYTES + COUNT_AT));
    assertEquals(20 - 2 * each, Native.getInt(rest + COUNT_AT));
    assertEquals(
        CudaResult.INVALID_RESOURCE_CONFIGURATION,
        driver().cuDevSmResourceSplitByCount(0, count, resource(), 0, 0, 21));
    assertEquals(
        CudaResult.INVALID_RESOURCE_TYPE,
        driver()
            .cuDevSmResourceSplitByCount(0, count, program().bytes(DeviceResource.BYTES), 0, 0, 1));
  }

  @Test
  void itsContextHasThePrimaryOnesMemory() {
    long green = green();
    long memory = program().array(7);
    ok(driver().cuCtxFromGreenCtx(program().out(), green));
    long context = program().value();
    ok(driver().cuCtxSetCurrent(context));
    assertEquals(7, program().read(memory, 1)[0]);
    ok(driver().cuCtxFromGreenCtx(program().out(), green));
    assertEquals(context, program().value());
    long told = program().bytes(DeviceResource.BYTES);
    ok(driver().cuCtxGetDevResource(context, told, MULTIPROCESSORS));
    assertEquals(20, Native.getInt(told + COUNT_AT));
  }

  @Test
  void itKeepsThePrimaryContextAlive() {
    long green = green();
    long memory = program().array(7);
    ok(driver().cuDevicePrimaryCtxRelease_v2(0));
    assertEquals(7, program().read(memory, 1)[0]);
    ok(driver().cuGreenCtxDestroy(green));
    assertEquals(CudaResult.CONTEXT_IS_DESTROYED, driver().cuCtxSynchronize());
    assertEquals(CudaResult.CONTEXT_IS_DESTROYED, driver().cuGreenCtxDestroy(green));
  }

  @Test
  void itsStreamsNameItAndEndWithIt() {
    long green = green();
    long stream = stream(green);
    ok(driver().cuStreamGetGreenCtx(stream, program().out()));
    assertEquals(green, program().value());
    ok(driver().cuStreamGetGreenCtx(0, program().out()));
    assertEquals(0, program().value());
    ok(driver().cuGreenCtxDestroy(green));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuStreamQuery(stream));
  }

  @Test
  void anEventIsBehindAllOfAContext() {
    long green = green();
    long stream = stream(green);
    block(stream);
    long event = event();
    ok(driver().cuCtxRecordEvent(primary(), event));
    assertEquals(CudaResult.NOT_READY, driver().cuEventQuery(event));
    long other = event();
    ok(driver().cuGreenCtxRecordEvent(green, other));
    assertEquals(CudaResult.NOT_READY, driver().cuEventQuery(other));
    open.countDown();
    ok(driver().cuEventSynchronize(event));
    ok(driver().cuEventSynchronize(other));
  }

  @Test
  void allOfAContextWaitsForAnEvent() {
    long green = green();
    long blocked = stream(green);
    ok(driver().cuStreamCreate(program().out(), 1));
    long before = program().value();
    block(blocked);
    long event = event();
    ok(driver().cuEventRecord(event, blocked));
    ok(driver().cuCtxWaitEvent(primary(), event));
    ok(driver().cuStreamCreate(program().out(), 1));
    long after = program().value();
    assertNotEquals(before, after);
    assertEquals(CudaResult.NOT_READY, driver().cuStreamQuery(before));
    assertEquals(CudaResult.NOT_READY, driver().cuStreamQuery(after));
    open.countDown();
    ok(driver().cuStreamSynchronize(before));
    ok(driver().cuStreamSynchronize(after));
  }

  private long primary() {
    ok(driver().cuStreamGetCtx(0, program().out()));
    return program().value();
  }
}
