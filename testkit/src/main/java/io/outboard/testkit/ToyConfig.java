// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.spec.Struct;

/**
 * A structure that has room to grow on the wire.
 *
 * @param version version
 * @param limit some limit
 */
@Struct(wireSize = 64)
public record ToyConfig(int version, long limit) {}
