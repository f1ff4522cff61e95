// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

/**
 * Why a session ended.
 *
 * @param cause for people
 * @param orderly whether the client ended it, or just ended
 */
public record SessionEnd(String cause, boolean orderly) {}
