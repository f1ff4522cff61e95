// SPDX-License-Identifier: Apache-2.0
/**
 * The commands that put a lease in front of a container: {@code outboard docker run} and its like.
 * The launcher becomes the container engine; a process of the same command holds the lease until
 * the container has ended.
 */
package io.outboard.cli.container;
