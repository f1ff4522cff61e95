// SPDX-License-Identifier: Apache-2.0
/**
 * One kernel to one hidden class. A module is checked first, so that a kernel that needs what is
 * not implemented says so before it is launched. A region becomes a method that stays small enough
 * for HotSpot.
 */
package io.outboard.ptx.compile;
