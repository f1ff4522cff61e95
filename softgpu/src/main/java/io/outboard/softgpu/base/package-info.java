// SPDX-License-Identifier: Apache-2.0
/**
 * The ground of the software GPU: handles, the console that a device speaks to, texts for programs,
 * and the report of a mistake of this program. Every package stands on it. Nothing here knows a
 * device.
 */
package io.outboard.softgpu.base;
