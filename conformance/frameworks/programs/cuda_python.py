# SPDX-License-Identifier: Apache-2.0
"""cuda-python: the driver, NVRTC and the runtime, called one by one."""

import ctypes

from program import Area, package

numpy = package("numpy")
driver = package("cuda.bindings.driver")
runtime = package("cuda.bindings.runtime")
nvrtc = package("cuda.bindings.nvrtc")
area = Area(("numpy", "cuda.bindings.driver", "cuda.bindings.nvrtc"), lambda _: _checked(driver.cuCtxSynchronize()))

SOURCE = b"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def _checked(answer):
    status, *values = answer
    if int(status):
        raise RuntimeError(str(status))
    return values[0] if len(values) == 1 else values


def _compiled(device):
    kind = driver.CUdevice_attribute
    major, minor = (
        _checked(driver.cuDeviceGetAttribute(getattr(kind, f"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{part}"), device)) for part in ("MAJOR", "MINOR")
    )
    made = _checked(nvrtc.nvrtcCreateProgram(SOURCE, b"saxpy.cu", 0, [], []))
    _checked(nvrtc.nvrtcCompileProgram(made, 1, [f"--gpu-architecture=sm_{major}{minor}".encode()]))
    image = b" " * _checked(nvrtc.nvrtcGetCUBINSize(made))
    _checked(nvrtc.nvrtcGetCUBIN(made, image))
    return image


@area.program()
def driver_and_nvrtc(run):
    _checked(driver.cuInit(0))
    device = _checked(driver.cuDeviceGet(0))
    _checked(driver.cuCtxSetCurrent(_checked(driver.cuDevicePrimaryCtxRetain(device))))
    image = numpy.frombuffer(_compiled(device), numpy.uint8).copy()
    module = _checked(driver.cuModuleLoadData(image.ctypes.data))
    kernel = _checked(driver.cuModuleGetFunction(module, b"saxpy"))
    host = numpy.arange(1000, dtype=numpy.float32)
    x, y = (_checked(driver.cuMemAlloc(host.nbytes)) for _ in range(2))
    for memory in (x, y):
        _checked(driver.cuMemcpyHtoD(memory, host.ctypes.data, host.nbytes))
    arguments = ((2.0, x, y, 1000), (ctypes.c_float, None, None, ctypes.c_int))

    def step():
        _checked(driver.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, 0, arguments, 0))

    step()
    back = numpy.empty_like(host)
    _checked(driver.cuMemcpyDtoH(back.ctypes.data, y, back.nbytes))
    run.result(back)
    run.time(step)


@area.program()
def runtime_calls(run):
    count = _checked(runtime.cudaGetDeviceCount())
    host = numpy.arange(100_000, dtype=numpy.float32)
    back = numpy.empty_like(host)
    memory = _checked(runtime.cudaMalloc(host.nbytes))
    stream = _checked(runtime.cudaStreamCreate())
    kind = runtime.cudaMemcpyKind

    def step():
        _checked(runtime.cudaMemcpyAsync(memory, host.ctypes.data, host.nbytes, kind.cudaMemcpyHostToDevice, stream))
        _checked(runtime.cudaMemsetAsync(memory, 0, 4000, stream))
        _checked(runtime.cudaMemcpyAsync(back.ctypes.data, memory, host.nbytes, kind.cudaMemcpyDeviceToHost, stream))
        _checked(runtime.cudaStreamSynchronize(stream))

    step()
    run.result(count, back)
    run.time(step)


@area.program()
def cuda_core(run):
    try:
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:
        from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    kernel = Program(SOURCE.decode(), code_type="c++", options=options).compile("cubin", name_expressions=("saxpy",)).get_kernel("saxpy")
    host = numpy.ones(1000, numpy.float32)
    x = device.allocate(host.nbytes, stream=stream)
    _checked(runtime.cudaMemcpy(int(x.handle), host.ctypes.data, host.nbytes, runtime.cudaMemcpyKind.cudaMemcpyHostToDevice))
    launch(stream, LaunchConfig(grid=8, block=128), kernel, numpy.float32(2), x, x, numpy.int32(1000))
    stream.sync()
    _checked(runtime.cudaMemcpy(host.ctypes.data, int(x.handle), host.nbytes, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost))
    run.result(host)
