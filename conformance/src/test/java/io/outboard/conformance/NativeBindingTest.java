// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverNative;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VendorCudaDriver;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each method of the generated binding calls the vendor's function of its name with its arguments
 * in their order, and returns its result.
 */
final class NativeBindingTest {
  /** They take 64 bytes by value, which are not where other arguments are. */
  private static final Set<String> BY_VALUE =
      Set.of("cuIpcOpenMemHandle_v2", "cuIpcOpenEventHandle");

  /** Their numbers are in other registers than the stand-in looks at: {@link VendorDriverTest}. */
  private static final Set<String> REAL =
      Set.of("cuTexRefSetMipmapLevelBias", "cuTexRefSetMipmapLevelClamp");

  /** A function that the library of this test lacks. */
  private static final String MISSING = "cuProfilerStop";

  /** Wide enough that the halves of a word differ. */
  private static final long FIRST = 0x1122334400000101L;

  @TempDir static Path folder;

  @Test
  void callsTheFunctionOfTheName() throws Exception {
    List<Method> bound = bound();
    StandIn library =
        StandIn.build(
            folder,
            bound.stream().map(Method::getName).filter(name -> !name.equals(MISSING)).toList());
    VendorCudaDriver driver = VendorCudaDriver.load(library.file().toString());
    driver.bindAll(() -> false);
    assertEquals("", library.called());
    int compared = 0;
    for (Method method : bound) {
      String name = method.getName();
      if (!BY_VALUE.contains(name) && !REAL.contains(name) && !name.equals(MISSING)) {
        compare(library, driver, method);
        compared++;
      }
    }
    assertTrue(compared > 150, compared + " functions");
    assertEquals(CudaResult.NOT_SUPPORTED, driver.cuProfilerStop());
    assertFalse(has(driver, MISSING));
    assertTrue(has(driver, "cuProfilerStart"));
  }

  private static boolean has(VendorCudaDriver driver, String name) {
    for (int number = 1; number <= CudaDriverTable.LEVEL; number++) {
      if (name.equals(CudaDriverTable.name(number))) {
        return driver.has(number);
      }
    }
    throw new AssertionError("there is no call " + name);
  }

  /** The generated ones: those that are written by hand replace them, or were never generated. */
  private static List<Method> bound() {
    return Arrays.stream(CudaDriverNative.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> isCall(method) && !isReplaced(method))
        .toList();
  }

  private static boolean isCall(Method method) {
    return Arrays.stream(CudaDriver.class.getMethods()).anyMatch(call -> same(call, method));
  }

  private static boolean isReplaced(Method method) {
    for (Class<?> type = VendorCudaDriver.class;
        type != CudaDriverNative.class;
        type = type.getSuperclass()) {
      if (Arrays.stream(type.getDeclaredMethods()).anyMatch(other -> same(other, method))) {
        return true;
      }
    }
    return false;
  }

  private static boolean same(Method one, Method other) {
    return one.getName().equals(other.getName())
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }

  private static void compare(StandIn library, VendorCudaDriver driver, Method method)
      throws ReflectiveOperationException {
    Object[] arguments = arguments(method);
    library.forget();
    assertEquals(
        StandIn.result(method.getName()), method.invoke(driver, arguments), method::toString);
    assertEquals(method.getName(), library.called());
    for (int i = 0; i < arguments.length; i++) {
      assertEquals(arguments[i], narrowed(library.argument(i), arguments[i]), method + ", " + i);
    }
  }

  private static Object[] arguments(Method method) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = narrowed(FIRST * (i + 1), type(types[i]));
    }
    return arguments;
  }

  private static Object type(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == int.class) {
      return 0;
    }
    return type == short.class ? (Object) (short) 0 : (Object) (byte) 0;
  }

  private static Object narrowed(long value, Object as) {
    return switch (as) {
      case Long l -> value;
      case Integer i -> (int) value;
      case Short s -> (short) value;
      default -> (byte) value;
    };
  }
}
