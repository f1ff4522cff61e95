// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between program and device: bulk connections, memory that both sides share, and staging
 * buffers of the worker. A copy keeps its place in its stream. The buffers of a transfer are
 * bounded by what a payload may take.
 */
package io.outboard.backend.move;
