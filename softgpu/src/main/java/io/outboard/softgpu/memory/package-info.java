// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of a device: one arena, its allocations, pools that count, addresses that programs
 * reserve. The host's memory backs it as far as it is touched. Memory ends with an owner, of which
 * nothing more is known here.
 */
package io.outboard.softgpu.memory;
