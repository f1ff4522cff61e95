// SPDX-License-Identifier: Apache-2.0
/**
 * Graphs: nodes and edges, captures that make them, executables that run them, the memory and the
 * objects that they own. A node's work is an operation of the packages below. A condition decides
 * at run time which inner graphs run.
 */
package io.outboard.softgpu.graph;
