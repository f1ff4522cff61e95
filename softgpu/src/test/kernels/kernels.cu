// SPDX-License-Identifier: Apache-2.0
// The kernels of the driver tests; build.sh makes ../resources/kernels.ptx of them.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

static __device__ unsigned index() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

extern "C" __device__ int table[4] = {1, 2, 3, 4};

extern "C" __global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  unsigned i = index();
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

extern "C" __global__ void nothing() {}

// Appends a value to a log: log[0] is the number of entries.
extern "C" __global__ void append(int *log, int value) {
  int count = log[0];
  log[1 + count] = value;
  log[0] = count + 1;
}

// The same, after some time.
extern "C" __global__ void appendLate(int *log, int value, volatile int *dummy, int rounds) {
  for (int i = 0; i < rounds; i++) {
    *dummy = i;
  }
  int count = log[0];
  log[1 + count] = value;
  log[0] = count + 1;
}

// Waits until a flag in device memory is set.
extern "C" __global__ void waitFor(volatile int *flag) {
  while (*flag == 0) {
  }
}

extern "C" __global__ void sumTable(int *out) {
  *out = table[0] + table[1] + table[2] + table[3];
}

extern "C" __global__ void store(int *pointer, int value) { *pointer = value; }

extern "C" __global__ void trap() { __builtin_trap(); }

extern "C" __global__ void mixed(char a, double b, short c, int *out) { *out = a + (int)b + c; }

extern __shared__ int dynamicShared[];

extern "C" __global__ void reverse(int *data) {
  __shared__ int fixedShared[256];
  unsigned i = __nvvm_read_ptx_sreg_tid_x();
  unsigned n = __nvvm_read_ptx_sreg_ntid_x();
  dynamicShared[i] = data[i];
  fixedShared[i & 255] = data[i];
  __nvvm_bar_sync(0);
  data[i] = dynamicShared[n - 1 - i] + 0 * fixedShared[(n - 1 - i) & 255];
}
