// SPDX-License-Identifier: Apache-2.0
/**
 * Views of backends that are renewed: {@code top} and {@code nodes}. A snapshot holds what a
 * backend says at one moment. A frame shows the difference of two.
 */
package io.outboard.cli.watch;
