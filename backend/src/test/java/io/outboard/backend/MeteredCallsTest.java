// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.quota.DriverQuota;
import io.outboard.backend.quota.MemoryQuota;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.quota.SlicePlace;
import io.outboard.backend.slices.ComputeShare;
import io.outboard.backend.slices.SliceMeter;
import io.outboard.backend.system.EventCount;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Takes;
import io.outboard.spec.Work;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call that the interfaces mark, against a time slice that nobody grants. */
final class MeteredCallsTest {
  /** Images that are kept: they go down to the quota as whole ones. */
  private static final Set<String> KEPT = Set.of("outboardLibraryContent", "outboardModuleContent");

  /** Calls that reached the driver. */
  private final Set<String> reached = ConcurrentHashMap.newKeySet();

  private EventCount events;
  private QuotaPage page;
  private SlicePlace place;
  private SliceMeter meter;
  private ComputeShare share;

  static Stream<Method> computing() {
    return marked(Work.COMPUTE);
  }

  static Stream<Method> passing() {
    return Stream.of(Work.COPY, Work.WAIT).flatMap(MeteredCallsTest::marked);
  }

  private static Stream<Method> marked(Work work) {
    return Arrays.stream(CudaDriver.class.getMethods())
        .filter(call -> call.isAnnotationPresent(DeviceWork.class))
        .filter(call -> call.getAnnotation(DeviceWork.class).value() == work);
  }

  @BeforeEach
  void nobodyGrants() throws IOException {
    events = EventCount.create();
    page = QuotaPage.create(List.of(1L));
    place = page.slice(0, 0);
    CudaDriver driver =
        (CudaDriver)
            Proxy.newProxyInstance(
                CudaDriver.class.getClassLoader(),
                new Class<?>[] {CudaDriver.class},
                (_, call, _) -> {
                  reached.add(call.getName());
                  return CudaResult.SUCCESS;
                });
    meter = new SliceMeter(driver, place, events);
    share = new ComputeShare(driver, List.of(meter));
  }

  @AfterEach
  void close() throws InterruptedException {
    meter.close();
    page.close();
    events.close();
  }

  /** As small as can be: size lets nothing escape. */
  private int call(Method call) {
    Object[] arguments =
        Arrays.stream(call.getParameterTypes()).map(MeteredCallsTest::zero).toArray();
    try {
      return (int) call.invoke(share, arguments);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(call.getName(), e);
    }
  }

  private static Object zero(Class<?> type) {
    return switch (type.getName()) {
      case "byte" -> (byte) 0;
      case "short" -> (short) 0;
      case "int" -> 0;
      case "long" -> 0L;
      default -> throw new AssertionError(type.getName());
    };
  }

  @ParameterizedTest
  @MethodSource("computing")
  void whatComputesWaitsForTheSliceFirst(Method call) throws InterruptedException {
    Thread caller = Thread.ofPlatform().start(() -> assertEquals(0, call(call)));
    while (!SlicePlace.wants(place.request()) && caller.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(SlicePlace.wants(place.request()), () -> call + " asks for no slice");
    assertFalse(reached.contains(call.getName()), () -> call + " does not wait");
    meter.close();
    caller.join();
    assertTrue(reached.contains(call.getName()), () -> call + " goes on when it may");
  }

  @ParameterizedTest
  @MethodSource("passing")
  void whatOnlyCopiesOrWaitsIsNotHeldUp(Method call) {
    assertEquals(CudaResult.SUCCESS, call(call));
    assertTrue(reached.contains(call.getName()));
    assertFalse(SlicePlace.wants(place.request()));
  }

  @Test
  void theMarksAreThere() {
    List<String> names = computing().map(Method::getName).toList();
    assertTrue(
        names.containsAll(
            List.of("cuLaunchKernel", "cuGraphLaunch", "cuMemsetD2D16Async", "cuMemcpyAtoA_v2")),
        names::toString);
  }

  /** A description that leaves the counting to a decorator is believed by nobody else. */
  @Test
  void aDecoratorHasEachCallWhoseMemoryItIsSaidToCount() {
    List<String> said =
        Arrays.stream(CudaDriver.class.getMethods())
            .filter(call -> call.isAnnotationPresent(Takes.class))
            .filter(call -> call.getAnnotation(Takes.class).decorated())
            .map(Method::getName)
            .sorted()
            .toList();
    Set<String> counted =
        Stream.of(MemoryQuota.class, DriverQuota.class)
            .flatMap(decorator -> Arrays.stream(decorator.getDeclaredMethods()))
            .map(Method::getName)
            .collect(Collectors.toCollection(HashSet::new));
    counted.addAll(KEPT);
    assertEquals(List.of(), said.stream().filter(name -> !counted.contains(name)).toList());
    assertTrue(said.contains("cuMemAlloc_v2"), said::toString);
  }
}
