// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A class of tests that only {@code -Dlong} runs. Such classes share folders, networks and a
 * machine, so that none runs beside another one of them.
 */
@Tag("long")
@Execution(ExecutionMode.SAME_THREAD)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Lengthy {}
