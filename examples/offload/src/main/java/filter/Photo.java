// SPDX-License-Identifier: Apache-2.0
package filter;

/**
 * A picture in shades of grey.
 *
 * @param grey a byte for each pixel, row after row
 */
public record Photo(int width, int height, byte[] grey) {}
