// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverDispatcher;
import io.outboard.nvml.NvmlDriverLogged;
import io.outboard.testkit.Toy;
import io.outboard.testkit.ToyDispatcher;
import io.outboard.testkit.ToyDriver;
import io.outboard.testkit.ToyLogged;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a suspension has to know of libraries that say nothing of it, as plug-ins are. */
final class LibraryInstanceTest {
  private final SessionContext context = nothing(SessionContext.class);

  /** Nobody is called. */
  private static <T> T nothing(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> false));
  }

  @Test
  void oneWithMemoryOrWorkOfDevicesCannotBePutAside() {
    LibraryInstance toy =
        LibraryInstance.<Toy>of(
            context, new ToyDriver(), ToyDispatcher::new, ToyLogged.STRUCTURES, ToyLogged::new);
    assertTrue(toy.usesDevices());
    assertSame(HeldDevices.UNKNOWN, toy.held());
  }

  @Test
  void oneWithNothingOnDevicesIsInNobodysWay() {
    LibraryInstance questions =
        LibraryInstance.<NvmlDriver>of(
            context,
            nothing(NvmlDriver.class),
            NvmlDriverDispatcher::new,
            NvmlDriverLogged.STRUCTURES,
            NvmlDriverLogged::new);
    assertFalse(questions.usesDevices());
    assertSame(HeldDevices.NONE, questions.held());
  }
}
