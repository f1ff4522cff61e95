// SPDX-License-Identifier: Apache-2.0
package album;

/**
 * A picture of grey pixels, line by line.
 *
 * @param grey a byte a pixel
 */
public record Picture(int width, int height, byte[] grey) {}
