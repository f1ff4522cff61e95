// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.spec.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;

/** Reads what is said of handles, against the library's kinds. */
final class HandleReader {
  private final Map<Integer, Kind> kinds;
  private final Problems problems;

  HandleReader(Map<Integer, Kind> kinds, Problems problems) {
    this.kinds = kinds;
    this.problems = problems;
  }

  private static int invalid(Handle handle, List<Kind> accepted) {
    boolean own = handle.invalid() != 0 || accepted.isEmpty();
    return own ? handle.invalid() : accepted.getFirst().invalid();
  }

  /** Reads the annotation of a parameter or member. */
  HandleUse read(Element element) {
    Handle handle = element.getAnnotation(Handle.class);
    if (handle == null) {
      return HandleUse.NONE;
    }
    List<Kind> accepted = new ArrayList<>();
    for (int id : handle.value()) {
      Kind kind = kinds.get(id);
      if (kind == null) {
        problems.error(element, "unknown kind of handle %d: @Library lists no such @Kind", id);
      } else {
        accepted.add(kind);
      }
    }
    if (handle.value().length == 0) {
      problems.error(element, "@Handle without a kind");
    }
    return new HandleUse(
        List.copyOf(accepted), handle.life(), handle.parent(), invalid(handle, accepted));
  }
}
