// SPDX-License-Identifier: Apache-2.0
/**
 * Work that the devices of a session have done, for a profiler in the client's process: records of
 * kernels, copies and fills, each with the sequence of the frame that asked for it.
 */
package io.outboard.backend.profile;
