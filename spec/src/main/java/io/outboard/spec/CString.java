// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter is the address of a NUL-terminated string. Alone it is read; with {@link Out} it is
 * written, ended by NUL; its room is {@link Out#bytes}, or where that is empty, the parameter that
 * follows.
 */
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.SOURCE)
public @interface CString {}
