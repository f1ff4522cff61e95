// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.lease.Architecture;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How people write generations of GPUs: {@code hopper}. */
final class Generation implements ITypeConverter<Architecture> {
  @Override
  public Architecture convert(String text) {
    try {
      return Architecture.of(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** All of them, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Architecture.values()).map(Architecture::label).iterator();
    }
  }
}
