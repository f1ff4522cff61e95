// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxModule;
import io.outboard.ptx.PtxVariable;
import io.outboard.ptx.host.Space;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Gives the variables of a module their places in device memory, with their first values. */
public final class Variables {
  private Variables() {}

  /** Places all variables of a module; null when there is no room. */
  public static Map<String, Allocation> place(PtxModule code, Context context) {
    Map<String, Allocation> places = new HashMap<>();
    Map<String, Long> addresses = new HashMap<>();
    for (PtxVariable variable : code.variables()) {
      if (variable.space() == Space.GLOBAL || variable.space() == Space.CONST) {
        Allocation place = place(variable, context);
        if (place == null) {
          release(places, context);
          return null;
        }
        places.put(variable.name(), place);
        addresses.put(variable.name(), place.address());
      }
    }
    code.place(addresses);
    for (PtxVariable variable : code.variables()) {
      initialise(variable, places.get(variable.name()), context.device().memory());
    }
    return places;
  }

  private static Allocation place(PtxVariable variable, Context context) {
    DeviceMemory memory = context.device().memory();
    long bytes = Math.max(1, variable.size());
    return variable.managed() && context.machine().deviceCount() == 1
        ? memory.placeVariable(bytes, context)
        : memory.allocate(bytes, context, Allocation.Kind.VARIABLE);
  }

  private static void release(Map<String, Allocation> places, Context context) {
    for (Allocation place : places.values()) {
      context.device().memory().release(place);
    }
  }

  private static void initialise(PtxVariable variable, Allocation place, DeviceMemory memory) {
    if (place == null) {
      return;
    }
    long target = memory.resolve(place.address(), place.bytes());
    byte[] initial = variable.initial();
    Native.fill(target, place.bytes(), (byte) 0);
    MemorySegment.copy(
        MemorySegment.ofArray(initial),
        0,
        Native.MEMORY,
        target,
        Math.min(initial.length, place.bytes()));
  }
}
