// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.UserData;
import io.outboard.codegen.model.Parameter.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the parameters lie in the fixed part of a body; PROTOCOL.md, "Bodies".
 *
 * @param offsets offset in bytes by parameter name
 * @param bytes size of the fixed part, a multiple of 8
 */
public record Layout(Map<String, Integer> offsets, int bytes) {
  /** The fixed part of the request. */
  public static Layout request(Function function) {
    Builder builder = new Builder();
    builder.bytes = function.pointers().isEmpty() ? 0 : 8;
    for (Parameter parameter : function.parameters()) {
      switch (parameter) {
        case Value value -> builder.add(value.name(), value.type().bytes(), value.type().bytes());
        case Parameter.Callback callback -> builder.add(callback.name(), 8, 8);
        case Pointer pointer when pointer.inFixedRequest() -> builder.add(pointer);
        case Pointer pointer when pointer.handle().creates() -> builder.add(pointer.name(), 8, 8);
        case Pointer _, UserData _ -> {}
      }
    }
    return builder.build();
  }

  /** The fixed part of the reply. */
  public static Layout reply(Function function) {
    Builder builder = new Builder();
    function.pointers().stream().filter(Pointer::inFixedReply).forEach(builder::add);
    return builder.build();
  }

  /** Offset of a parameter that has a place in the part. */
  public int offset(Parameter parameter) {
    return offsets.get(parameter.name());
  }

  /** Rounds up to a multiple of a power of two. */
  public static int align(int bytes, int alignment) {
    return (bytes + alignment - 1) & -alignment;
  }

  private static final class Builder {
    private final Map<String, Integer> offsets = new HashMap<>();
    private int bytes;

    void add(Pointer pointer) {
      add(pointer.name(), pointer.target().wireBytes(), pointer.target().alignment());
    }

    void add(String name, int size, int alignment) {
      bytes = align(bytes, alignment);
      offsets.put(name, bytes);
      bytes += size;
    }

    Layout build() {
      return new Layout(Map.copyOf(offsets), align(bytes, 8));
    }
  }
}
