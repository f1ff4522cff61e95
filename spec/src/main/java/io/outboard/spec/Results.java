// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The vendor's result codes that generated code and the runtime return by themselves. */
@Target({})
@Retention(RetentionPolicy.SOURCE)
public @interface Results {
  /** The call did what was asked. */
  int success() default 0;

  /** An argument is out of its documented range. */
  int invalidValue();

  /** The function exists but is not implemented here. */
  int notSupported();

  /** The library is not initialised, or this is the child of a forked process. */
  int notInitialized();

  /** The connection to the backend is lost, or was never made. */
  int unavailable();

  /** Memory ran out on the way. */
  int outOfMemory();

  /** A lease has no more memory of a device; 0 where that is {@link #outOfMemory}. */
  int outOfDeviceMemory() default 0;

  /** The size that a structure says it has (see {@link Struct#sized}) is not known. */
  int versionMismatch() default 0;

  /** Results after which what the lane stands for is lost: each later call there returns it too. */
  int[] lasting() default {};
}
