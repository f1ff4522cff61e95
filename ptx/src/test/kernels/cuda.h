// SPDX-License-Identifier: Apache-2.0
// The few words of CUDA that the test kernels use, for clang without a toolkit.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

// Each component is read by its own name, as CUDA's built-in variables are.
struct ThreadIndex {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_tid_x(); }
  static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_tid_y(); }
};
struct BlockIndex {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
  static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
};
struct BlockSize {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
  static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
};
struct GridSize {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
  static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }
};
extern const __device__ ThreadIndex threadIdx;
extern const __device__ BlockIndex blockIdx;
extern const __device__ BlockSize blockDim;
extern const __device__ GridSize gridDim;
