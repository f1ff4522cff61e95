// SPDX-License-Identifier: Apache-2.0
/**
 * The C half: stubs, headers, the symbols and the linker's script. A stub checks nothing that the
 * backend checks again. Lengths are computed in 64 bits, and one that is out of range stays so.
 */
package io.outboard.codegen.emit.c;
