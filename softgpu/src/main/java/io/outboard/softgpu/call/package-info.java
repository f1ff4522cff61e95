// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of the CUDA driver by topic. Each checks its arguments in the vendor's order, asks
 * the packages below, and returns the vendor's result. No state lives here beyond what a topic's
 * calls share.
 */
package io.outboard.softgpu.call;
