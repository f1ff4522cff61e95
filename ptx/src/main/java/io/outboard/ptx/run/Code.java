// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;

/** The base class of a compiled kernel: regions by number. */
public abstract class Code {
  /** For generated classes. */
  protected Code() {}

  /** Runs region {@code method} for each of the threads from low to high that is to enter it. */
  protected abstract void run(int method, BlockContext context, int low, int high);

  /** Makes a hidden class of {@code bytes} and an instance of it. */
  public static Code load(byte[] bytes) {
    try {
      Class<?> type = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
      return (Code) type.getDeclaredConstructor().newInstance();
    } catch (IllegalAccessException
        | InstantiationException
        | InvocationTargetException
        | NoSuchMethodException e) {
      throw new LinkageError("cannot load a compiled kernel", e);
    }
  }
}
