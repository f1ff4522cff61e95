// SPDX-License-Identifier: Apache-2.0
/**
 * Text to model. The parser reads any instruction and knows the meaning of none. Text that is not
 * PTX is refused with its line and column.
 */
package io.outboard.ptx.parse;
