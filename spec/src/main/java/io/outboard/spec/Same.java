// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An older form of another function of the library. It never travels: its C is generated and calls
 * the other function's symbol, so that both forms behave alike. The interface method is a {@code
 * default} one. A {@linkplain Variants variant} with a per-thread stream calls the other function's
 * variant of that ending.
 *
 * <p>An older form may have {@code int} where the other function has {@code long}: sizes and
 * addresses of 32 bits. Such a value is widened as an unsigned one, also as a member of a
 * structure, whose members are then paired by name. Results are narrowed: a number that has no room
 * becomes the largest that has; a device address that has no room is refused with {@link
 * Results#notSupported}, and {@link #undo} gives it back.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Same {
  /** The function that is called. */
  String as();

  /**
   * Its arguments in order: a parameter of this function, {@code &} and a value parameter for its
   * address, a number, or {@code NULL}. Empty: the parameters of this function in their order.
   */
  String[] with() default {};

  /** The function that frees an address which the older form has no room for. */
  String undo() default "";

  /** The C prototype, where it cannot be derived from the method. */
  String prototype() default "";
}
