// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.spec.Struct;

/**
 * A structure whose first version ended before the limit.
 *
 * @param version size and version
 * @param count a number
 * @param limit another
 */
@Struct(sized = true)
public record ToyVersion(int version, int count, long limit) {}
