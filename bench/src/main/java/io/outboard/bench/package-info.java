// SPDX-License-Identifier: Apache-2.0
/**
 * {@code outboard bench}. Calls, copies and idle sessions are measured over each medium. The
 * figures of other benchmarks are commands of their own below it.
 */
package io.outboard.bench;
