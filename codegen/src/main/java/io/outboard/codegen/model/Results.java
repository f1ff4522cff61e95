// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.List;

/**
 * The result codes of the machinery; see {@link io.outboard.spec.Results}. Success is 0.
 *
 * @param invalidValue an argument is out of range
 * @param notSupported not implemented
 * @param notInitialized not initialised
 * @param unavailable no connection
 * @param outOfMemory no memory
 * @param outOfDeviceMemory a lease has no more
 * @param versionMismatch a structure's own size is not known
 * @param lasting after these each later call in the lane fails too
 */
public record Results(
    int invalidValue,
    int notSupported,
    int notInitialized,
    int unavailable,
    int outOfMemory,
    int outOfDeviceMemory,
    int versionMismatch,
    List<Integer> lasting) {}
