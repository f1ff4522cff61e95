// SPDX-License-Identifier: Apache-2.0
/** Calls of a program on the JVM beside those of a native one. */
package io.outboard.bench.jvm;
