/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MATRIX_MUL_H
#define MATRIX_MUL_H

/* Edge of the square tiles that a block keeps in shared memory; a block has TILE × TILE threads. */
enum { TILE = 16 };

#endif
