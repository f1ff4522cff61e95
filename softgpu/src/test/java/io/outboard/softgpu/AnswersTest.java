// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTopics;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.Failures;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call returns a result code, whatever happens. */
class AnswersTest {
  /** Kept, because loggers are collected with their level. */
  private final Logger logger = Logger.getLogger("io.outboard.softgpu");

  /** A driver in which every call goes wrong. */
  private static final class Broken extends CudaDriverTopics {
    Broken() {
      super(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null);
    }

    @Override
    protected int thrown(Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @BeforeEach
  void silence() {
    logger.setLevel(Level.OFF);
  }

  @AfterEach
  void speak() {
    logger.setLevel(null);
  }

  @Test
  void mistakesBecomeResultCodes() throws Exception {
    CudaDriver broken = new Broken();
    int calls = 0;
    for (Method method : calls()) {
      assertEquals(CudaResult.UNKNOWN, call(broken, method), method.getName());
      calls++;
    }
    assertTrue(calls > 90);
  }

  @Test
  void nullEverywhereIsAnAnswer() throws Exception {
    CudaDriver driver = SoftGpu.builder(new RecordingConsole()).memoryBytes(1 << 20).build();
    nullEverywhere(driver);
    assertEquals(CudaResult.SUCCESS, driver.cuInit(0));
    nullEverywhere(driver);
    try (Program program = Program.onDevice(driver)) {
      assertNotEquals(0, program.value());
      nullEverywhere(driver);
    }
  }

  private static void nullEverywhere(CudaDriver driver) throws Exception {
    for (Method method : calls()) {
      if (!method.getName().contains("Reset") && !method.getName().contains("SetCurrent")) {
        assertNotEquals(CudaResult.UNKNOWN, call(driver, method), method.getName());
      }
    }
  }

  private static List<Method> calls() {
    return Arrays.stream(CudaDriverTopics.class.getDeclaredMethods())
        .filter(method -> !method.getName().equals("thrown"))
        .toList();
  }

  private static int call(CudaDriver driver, Method method)
      throws IllegalAccessException, InvocationTargetException {
    Class<?>[] types = method.getParameterTypes();
    Object[] nulls = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      nulls[i] = zero(types[i]);
    }
    return (int) method.invoke(driver, nulls);
  }

  private static Object zero(Class<?> type) {
    return switch (type.getName()) {
      case "long" -> 0L;
      case "float" -> 0f;
      case "int" -> 0;
      case "short" -> (short) 0;
      case "byte" -> (byte) 0;
      default -> throw new IllegalArgumentException(type.getName());
    };
  }
}
