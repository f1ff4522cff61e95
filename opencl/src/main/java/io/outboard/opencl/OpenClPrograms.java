// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.PLATFORM;
import static io.outboard.opencl.OpenClKinds.PROGRAM;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Returned;
import io.outboard.spec.Within;
import io.outboard.spec.WrittenOn;

/** Programs; OpenCL specification 3.0, section 5.8. */
public interface OpenClPrograms {
  /** Makes a program of source text, which travels as one. */
  @Call(110)
  @Custom(
      value = "texts that travel as one",
      prototype =
          "cl_program clCreateProgramWithSource(cl_context context, unsigned int count, const char"
              + " **strings, const size_t *lengths, int *errcode_ret)",
      binding = true)
  int clCreateProgramWithSource(
      @Handle(CONTEXT) long context,
      @In(bytes = "bytes") long text,
      long bytes,
      @Out(LONG) @Handle(value = PROGRAM, life = CREATE) @Returned long made);

  /** Makes a program of one binary a device; they travel as one. */
  @Call(111)
  @Custom(
      value = "binaries that travel as one",
      prototype =
          "cl_program clCreateProgramWithBinary(cl_context context, unsigned int count, const"
              + " cl_device_id *devices, const size_t *lengths, const unsigned char **binaries, int"
              + " *status, int *errcode_ret)",
      binding = true)
  @WrittenOn(OpenClResult.INVALID_BINARY)
  int clCreateProgramWithBinary(
      @Handle(CONTEXT) long context,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @In(value = LONG, count = "numDevices") long lengths,
      @In(bytes = "bytes") long binaries,
      long bytes,
      @Out(value = INT, count = "numDevices") long status,
      @Out(LONG) @Handle(value = PROGRAM, life = CREATE) @Returned long made);

  /** Makes a program of an intermediate language. */
  @Call(112)
  int clCreateProgramWithIL(
      @Handle(CONTEXT) long context,
      @In(bytes = "length") long il,
      long length,
      @Out(LONG) @Handle(value = PROGRAM, life = CREATE) @Returned long made);

  /** Makes a program of kernels that a device has. */
  @Call(113)
  int clCreateProgramWithBuiltInKernels(
      @Handle(CONTEXT) long context,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @CString long names,
      @Out(LONG) @Handle(value = PROGRAM, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainProgram(@Handle(value = PROGRAM, life = RETAIN) long program) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a program with its last owner. */
  @Call(114)
  @Async
  int clReleaseProgram(@Handle(value = PROGRAM, life = RELEASE) long program);

  /** Builds a program. The frontend runs the program's function when that is done. */
  @Call(115)
  @Blocking
  @Custom(
      value = "a function of the program with more arguments",
      prototype =
          "int clBuildProgram(cl_program program, unsigned int count, const cl_device_id *devices,"
              + " const char *options, void (*notify)(cl_program, void *), void *data)")
  int clBuildProgram(
      @Handle(PROGRAM) long program,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @CString long options,
      @Callback(userData = "data", position = 1) long notify,
      long data);

  /**
   * Compiles a program with headers, which are programs too; their names travel as one, each with
   * its NUL.
   */
  @Call(116)
  @Blocking
  @Custom(
      value = "names of headers that travel as one",
      prototype =
          "int clCompileProgram(cl_program program, unsigned int count, const cl_device_id"
              + " *devices, const char *options, unsigned int headers, const cl_program"
              + " *header_programs, const char **names, void (*notify)(cl_program, void *), void"
              + " *data)",
      binding = true)
  int clCompileProgram(
      @Handle(PROGRAM) long program,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @CString long options,
      int numHeaders,
      @In(value = LONG, count = "numHeaders") @Handle(PROGRAM) long headers,
      @In(bytes = "bytes") long names,
      long bytes);

  /**
   * Links programs that are compiled. The frontend runs the program's function when that is done.
   */
  @Call(117)
  @Blocking
  @Custom(
      value = "a function of the program with more arguments",
      prototype =
          "cl_program clLinkProgram(cl_context context, unsigned int count, const cl_device_id"
              + " *devices, const char *options, unsigned int inputs, const cl_program *programs,"
              + " void (*notify)(cl_program, void *), void *data, int *errcode_ret)")
  int clLinkProgram(
      @Handle(CONTEXT) long context,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @CString long options,
      int numPrograms,
      @In(value = LONG, count = "numPrograms") @Handle(PROGRAM) long programs,
      @Callback(userData = "data", position = 1) long notify,
      long data,
      @Out(LONG) @Handle(value = PROGRAM, life = CREATE) @Returned long made);

  /** Allows the compiler to go: it is the backend's affair. */
  @Local
  default int clUnloadCompiler() {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Allows a platform's compiler to go. */
  @Call(118)
  int clUnloadPlatformCompiler(@Handle(PLATFORM) long platform);

  /** Answers a question about a program. */
  @Call(119)
  @Custom("binaries in memory of the program")
  int clGetProgramInfo(
      @Handle(PROGRAM) long program,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** The binaries of a program one after the other, each as long as the program's info says. */
  @Call(120)
  @Custom(value = "a call of our own", binding = true)
  int outboardProgramBinaries(
      @Handle(PROGRAM) long program,
      int count,
      @In(value = LONG, count = "count") long lengths,
      @Out(bytes = "bytes") long binaries,
      long bytes);

  /** The devices of a program, as many as the program's info says. */
  @Call(124)
  @Custom(value = "a call of our own", binding = true)
  int outboardProgramDevices(
      @Handle(PROGRAM) long program,
      int count,
      @Out(value = LONG, count = "count") @Handle(DEVICE) long devices);

  /** How the building of a program went. */
  @Call(121)
  int clGetProgramBuildInfo(
      @Handle(PROGRAM) long program,
      @Handle(DEVICE) long device,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /**
   * Asks whether a function can be told of a program's end; {@code CL_INVALID_OPERATION} where no
   * device has kernels that end a program. The frontend runs the function.
   */
  @Call(123)
  @Custom(
      value = "a function of the program with more arguments",
      prototype =
          "int clSetProgramReleaseCallback(cl_program program, void (*notify)(cl_program, void *),"
              + " void *data)",
      binding = true)
  int clSetProgramReleaseCallback(@Handle(PROGRAM) long program);

  /** Sets a constant of an intermediate language. */
  @Call(122)
  int clSetProgramSpecializationConstant(
      @Handle(PROGRAM) long program, int id, long size, @In(bytes = "size") long value);
}
