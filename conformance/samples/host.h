/* SPDX-License-Identifier: Apache-2.0
 * Functions that nvcc gives host code and clang does not: min and max of values with an order. */
#ifndef HOST_H
#define HOST_H

template <typename A, typename B>
static inline auto min(A a, B b) -> decltype(a + b) {
    return a < b ? a : b;
}

template <typename A, typename B>
static inline auto max(A a, B b) -> decltype(a + b) {
    return a < b ? b : a;
}

#endif
