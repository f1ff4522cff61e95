// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The handle that the call makes or is given belongs to the caller's lane from then on: calls that
 * are {@link OrderedBy} the handle compare it with their own. A posted call about a given handle
 * that other processes see is answered.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface NotesLane {}
