// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

/**
 * A device of the backend.
 *
 * @param number among the backend's, from 0
 * @param uuid as the vendor writes it, {@code GPU-…}
 * @param model its name
 * @param memory bytes
 */
public record Gpu(int number, String uuid, String model, long memory) {}
