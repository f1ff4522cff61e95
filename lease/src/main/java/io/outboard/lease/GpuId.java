// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

/**
 * What a device is known by. Software GPUs of two nodes may have the same UUID, and are two.
 *
 * @param node the name of its node; {@link Gpu#HERE} of the one that has the store
 * @param uuid as the vendor writes it
 */
public record GpuId(String node, String uuid) {}
