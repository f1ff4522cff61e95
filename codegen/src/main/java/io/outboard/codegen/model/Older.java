// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.List;

/**
 * How a function is an older form of another.
 *
 * @param as the function that it calls
 * @param with the arguments there
 * @param undo the function that frees an address without room, or empty
 */
public record Older(String as, List<String> with, String undo) {}
