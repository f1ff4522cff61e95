// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

/**
 * The end of a call that ran as its interface says.
 *
 * @param value its result
 * @param exception the declared one that it has thrown; null where it has returned
 */
public record Answered<R>(R value, Exception exception) {}
