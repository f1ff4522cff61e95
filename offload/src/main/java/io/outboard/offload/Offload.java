// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An interface whose methods may run on a backend. The annotation processor makes, for an interface
 * {@code Faces}, its {@code FacesCodec}, {@code FacesRemote}, {@code FacesDispatcher}, {@code
 * FacesChooser} and the twin {@code FacesAsync}.
 *
 * <p>Parameters and results are primitives, arrays, strings, enums, records, sealed interfaces of
 * records, {@code List}, {@code Map} and {@code Optional}. No value is null.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Offload {
  /** The name by which a backend finds the service; 1 to 63 letters, digits, dots and dashes. */
  String value();
}
