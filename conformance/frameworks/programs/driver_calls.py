# SPDX-License-Identifier: Apache-2.0
"""The driver's library called by ctypes alone: these programs need no package."""

import array
import ctypes

from program import Area

area = Area(("ctypes",), lambda _: _call("cuCtxSynchronize"))

PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry add_index(.param .u64 at, .param .u32 count) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<4>; .reg .f32 %f<3>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [count];
  setp.ge.s32 %p, %r4, %r5;
  @%p bra DONE;
  ld.param.u64 %d1, [at];
  cvta.to.global.u64 %d1, %d1;
  mul.wide.s32 %d2, %r4, 4;
  add.s64 %d3, %d1, %d2;
  ld.global.f32 %f1, [%d3];
  cvt.rn.f32.s32 %f2, %r4;
  add.f32 %f1, %f1, %f2;
  st.global.f32 [%d3], %f1;
DONE:
  ret;
}
"""
COUNT = 1000


def _call(name, *arguments):
    status = getattr(ctypes.CDLL("libcuda.so.1"), name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {status}")


def _context():
    _call("cuInit", 0)
    device, context = ctypes.c_int(), ctypes.c_void_p()
    _call("cuDeviceGet", ctypes.byref(device), 0)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    _call("cuCtxSetCurrent", context)


def _memory(size):
    at = ctypes.c_uint64()
    _call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
    return at


def _kernel():
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _call("cuModuleLoadData", ctypes.byref(module), PTX)
    _call("cuModuleGetFunction", ctypes.byref(function), module, b"add_index")
    return function


def _launch(function, *values):
    held = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    _call("cuLaunchKernel", function, 8, 1, 1, 128, 1, 1, 0, None, held, None)


@area.program()
def kernel_from_ptx(run):
    _context()
    function, at = _kernel(), _memory(4 * COUNT)
    host = (ctypes.c_float * COUNT)(*[1.0] * COUNT)
    _call("cuMemcpyHtoD_v2", at, host, ctypes.c_size_t(4 * COUNT))

    def step():
        _launch(function, at, ctypes.c_int(COUNT))

    step()
    step()
    _call("cuMemcpyDtoH_v2", host, at, ctypes.c_size_t(4 * COUNT))
    run.result(*host[:5], *host[-5:], sum(host))
    run.time(step)


@area.program()
def copies(run):
    _context()
    size = 1 << 20
    at, data = _memory(size), array.array("B", bytes(i * 7 % 251 for i in range(size)))
    sent = (ctypes.c_ubyte * size).from_buffer(data)
    back = (ctypes.c_ubyte * size)()

    def step():
        _call("cuMemcpyHtoD_v2", at, sent, ctypes.c_size_t(size))
        _call("cuMemcpyDtoH_v2", back, at, ctypes.c_size_t(size))

    step()
    run.result(sum(back), *back[-5:])
    run.time(step)


@area.program()
def small_calls(run):
    _context()
    at, back = _memory(4), ctypes.c_uint32()

    def step():
        for i in range(20):
            _call("cuMemsetD32_v2", at, i, ctypes.c_size_t(1))
            _call("cuMemcpyDtoH_v2", ctypes.byref(back), at, ctypes.c_size_t(4))

    step()
    run.result(back.value)
    run.time(step)
