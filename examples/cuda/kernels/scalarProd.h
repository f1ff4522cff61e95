/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCALAR_PROD_H
#define SCALAR_PROD_H

/* Threads of a block of scalarProd; a power of two. */
enum { SCALAR_PROD_THREADS = 128 };

#endif
