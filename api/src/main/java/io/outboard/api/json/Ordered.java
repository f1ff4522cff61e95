// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** Objects of JSON whose values stay in their order. */
public final class Ordered {
  private Ordered() {}

  /** Of names and values, one after the other. */
  public static Map<String, Object> of(Object... namesAndValues) {
    SequencedMap<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
