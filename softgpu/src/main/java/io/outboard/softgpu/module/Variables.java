// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxModule;
import io.outboard.ptx.PtxVariable;
import io.outboard.ptx.host.Space;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.MemoryOwner;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives the variables of a module their places in device memory, with their first values. Managed
 * ones lie where the kernels of all devices reach them; a library has each of them once.
 */
public final class Variables {
  private final Map<String, Allocation> places = new HashMap<>();
  private final Context context;
  private final MemoryOwner owner;
  private final Map<String, Allocation> managed;

  private Variables(Context context, MemoryOwner owner, Map<String, Allocation> managed) {
    this.context = context;
    this.owner = owner;
    this.managed = managed;
  }

  /** Places all variables of a module; null when there is no room. */
  public static Map<String, Allocation> place(PtxModule code, Context context) {
    return new Variables(context, context, Map.of()).place(code);
  }

  /** Places those of a library in a context, but for the managed ones that it has already. */
  static Map<String, Allocation> place(
      PtxModule code, Context context, MemoryOwner library, Map<String, Allocation> managed) {
    return new Variables(context, library, managed).place(code);
  }

  private Map<String, Allocation> place(PtxModule code) {
    Map<String, Long> addresses = new HashMap<>();
    for (PtxVariable variable : code.variables()) {
      if (variable.space() == Space.GLOBAL || variable.space() == Space.CONST) {
        Allocation place = place(variable);
        if (place == null) {
          release();
          return null;
        }
        places.put(variable.name(), place);
        addresses.put(variable.name(), place.address());
      }
    }
    code.place(addresses);
    for (PtxVariable variable : code.variables()) {
      initialise(variable, places.get(variable.name()));
    }
    return places;
  }

  private Allocation place(PtxVariable variable) {
    long bytes = Math.max(1, variable.size());
    if (!variable.managed()) {
      return context.device().memory().allocate(bytes, context, Allocation.Kind.VARIABLE);
    }
    Allocation known = managed.get(variable.name());
    return known != null ? known : context.machine().device(0).memory().placeVariable(bytes, owner);
  }

  private void release() {
    for (Allocation place : places.values()) {
      if (isNew(place)) {
        context.machine().memoryOf(place.address()).release(place);
      }
    }
  }

  private boolean isNew(Allocation place) {
    return !managed.containsValue(place);
  }

  private void initialise(PtxVariable variable, Allocation place) {
    if (place == null || !isNew(place)) {
      return;
    }
    long target = context.machine().resolve(place.address(), place.bytes());
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
