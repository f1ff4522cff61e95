// SPDX-License-Identifier: Apache-2.0
/**
 * Events, and work that moves no bytes: recordings, waits, values in memory, functions of the
 * program. An event that other processes may have is a shared mark. Each piece of work can stand in
 * a stream or be a node of a graph.
 */
package io.outboard.softgpu.stream;
