// SPDX-License-Identifier: Apache-2.0
/**
 * The same devices as NVML shows them, function by function. The figures come from the devices and
 * their profiles. Nothing here changes a device.
 */
package io.outboard.softgpu.management;
