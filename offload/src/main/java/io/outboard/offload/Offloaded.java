// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The class that implements an {@link Offload} interface on a backend. It has a constructor without
 * parameters, or one that takes an {@code io.outboard.gpu.GpuSource} and nothing else. Several
 * threads may call it at the same time. The annotation processor names it in the jar, so that a
 * backend which runs the jar finds it.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface Offloaded {}
