// SPDX-License-Identifier: Apache-2.0
/**
 * The figures of devices and of their host: attributes, slices of a board, limits of functions, the
 * PTX target, the memory of the machine. They are read, never counted. Nothing here does work.
 */
package io.outboard.softgpu.profile;
