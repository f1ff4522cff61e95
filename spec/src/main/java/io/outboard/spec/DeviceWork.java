// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call has to do with work of a device: it asks for some, or waits for some. While somebody
 * watches, the generated C calls two functions that are written by hand: {@code
 * LIBRARY_work_begins} before such a call, and {@code LIBRARY_work_seen} after one that was
 * answered with success, which may mean that work is over. So what the program and devices have
 * each for themselves is brought in line without a word in any hand-written function.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface DeviceWork {}
