// SPDX-License-Identifier: Apache-2.0
/**
 * The operating system's calls, bound through the foreign function API. Descriptors are ints,
 * addresses longs. A function returns a value of 0 or more, or the negated error number.
 */
package io.outboard.communicator.posix;
