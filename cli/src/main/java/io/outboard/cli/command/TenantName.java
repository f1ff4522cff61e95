// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.lease.Parameter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The name of a tenant, checked where it is typed; an empty one is an unset variable of a shell.
 */
public final class TenantName implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("a tenant has a name");
    }
    try {
      Parameter.TENANT.permitted().check("the name of a tenant", text);
      return text;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
