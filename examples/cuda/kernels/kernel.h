/* SPDX-License-Identifier: Apache-2.0
 * The parts of CUDA's headers that a kernel needs, for clang alone; where they are included first
 * this file adds nothing. */
#ifndef KERNEL_H
#define KERNEL_H

#ifndef __CUDA_RUNTIME_H__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct Position {
    unsigned x, y;
};

static inline __device__ Position thread_index() {
    return {(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y()};
}
static inline __device__ Position block_index() {
    return {(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y()};
}
static inline __device__ Position block_size() {
    return {(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y()};
}
static inline __device__ Position grid_size() {
    return {(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y()};
}
static inline __device__ unsigned atomicAdd(unsigned *address, unsigned value) {
    return (unsigned)__nvvm_atom_add_gen_i((int *)address, (int)value);
}

#define threadIdx thread_index()
#define blockIdx block_index()
#define blockDim block_size()
#define gridDim grid_size()
#endif

#endif
