// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Which calls of a library a decorator does something about. The others need not pass through it: a
 * way through ten decorators that only hand a call on is a hundred cold cache lines after a pause.
 */
public final class Overrides {
  private final Class<?> base;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final ClassValue<BitSet> known =
      new ClassValue<>() {
        @Override
        protected BitSet computeValue(Class<?> decorator) {
          return find(decorator);
        }
      };

  /**
   * @param base the class that hands on every call
   * @param names the calls' names by number, null where there is none
   * @param level the highest number
   */
  public Overrides(Class<?> base, IntFunction<String> names, int level) {
    this.base = base;
    for (int number = 1; number <= level; number++) {
      String name = names.apply(number);
      if (name != null) {
        numbers.put(name, number);
      }
    }
  }

  /** The numbers of the calls that a class, or one between it and the base, overrides. */
  public BitSet of(Class<?> decorator) {
    return known.get(decorator);
  }

  private BitSet find(Class<?> decorator) {
    BitSet overridden = new BitSet();
    for (Class<?> type = decorator; type != base; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        Integer number = numbers.get(method.getName());
        if (number != null) {
          overridden.set(number);
        }
      }
    }
    return overridden;
  }
}
