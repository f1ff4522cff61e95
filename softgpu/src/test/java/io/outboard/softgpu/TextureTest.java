// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Arrays, and the objects through which kernels read and write them. */
class TextureTest extends DriverTest {
  private static final int SIGNED32 = 0x0a;
  private static final int FLOAT = 0x20;
  private static final int LAYERED = 1;

  private static final String KERNELS =
      """
      .version 6.3
      .target sm_75
      .address_size 64
      .visible .entry read(.param .u64 to, .param .u64 object, .param .u32 count)
      {
      .reg .b64 %to, %object;
      .reg .b32 %n, %i, %a, %b, %c, %d;
      .reg .pred %p;
      ld.param.u64 %to, [to];
      ld.param.u64 %object, [object];
      ld.param.u32 %n, [count];
      mov.u32 %i, -1;
      loop:
      tex.1d.v4.s32.s32 {%a, %b, %c, %d}, [%object, {%i}];
      st.global.u32 [%to], %a;
      add.u64 %to, %to, 4;
      add.s32 %i, %i, 1;
      setp.lt.s32 %p, %i, %n;
      @%p bra loop;
      ret;
      }
      .visible .entry write(.param .u64 object, .param .u32 x, .param .u32 value)
      {
      .reg .b64 %object;
      .reg .b32 %x, %v;
      ld.param.u64 %object, [object];
      ld.param.u32 %x, [x];
      ld.param.u32 %v, [value];
      sust.b.1d.b32.trap [%object, {%x}], %v;
      ret;
      }
      """;

  private long shape(long width, long height, long depth, int format, int channels, int flags) {
    long description = program().bytes(40);
    Native.putLong(description, width);
    Native.putLong(description + 8, height);
    Native.putLong(description + 16, depth);
    Native.putInt(description + 24, format);
    Native.putInt(description + 28, channels);
    Native.putInt(description + 32, flags);
    return description;
  }

  private long array(long width, long height, long depth, int flags) {
    long shape = shape(width, height, depth, SIGNED32, 1, flags);
    ok(driver().cuArray3DCreate_v2(program().out(), shape));
    return program().value();
  }

  /** A CUDA_RESOURCE_DESC of an array. */
  private long resource(long array) {
    long description = program().bytes(144);
    Native.fill(description, 144, (byte) 0);
    Native.putLong(description + 8, array);
    return description;
  }

  /** A CUDA_TEXTURE_DESC: clamped, nearest, integers. */
  private long sampling() {
    long description = program().bytes(104);
    Native.fill(description, 104, (byte) 0);
    for (int axis = 0; axis < 3; axis++) {
      Native.putInt(description + 4L * axis, 1);
    }
    Native.putInt(description + 16, 1);
    return description;
  }

  private int[] row(long array, int count) {
    long host = program().bytes(4L * count);
    ok(driver().cuMemcpyAtoH_v2(host, array, 0, 4L * count));
    int[] read = new int[count];
    for (int i = 0; i < count; i++) {
      read[i] = Native.getInt(host + 4L * i);
    }
    return read;
  }

  @Test
  void arraysHoldZerosThenWhatIsCopied() {
    long array = array(4, 0, 0, 0);
    assertArrayEquals(new int[4], row(array, 4));
    ok(driver().cuMemcpyHtoA_v2(array, 4, program().ints(7, 8), 8));
    assertArrayEquals(new int[] {0, 7, 8, 0}, row(array, 4));
    long other = array(4, 0, 0, 0);
    ok(driver().cuMemcpyAtoA_v2(other, 0, array, 4, 12));
    ok(driver().cuMemcpyDtoA_v2(other, 12, program().array(9), 4));
    assertArrayEquals(new int[] {7, 8, 0, 9}, row(other, 4));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuMemcpyHtoA_v2(array, 4, program().ints(7), 16));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuMemcpyHtoA_v2(77, 0, program().ints(7), 4));
  }

  @Test
  void boxesOfArraysAreWrittenAndRead() {
    long array = array(5, 3, 2, LAYERED);
    ok(
        driver()
            .outboardArrayWrite(
                array, 4, 1, 0, 8, 2, 2, program().ints(1, 2, 3, 4, 5, 6, 7, 8), 32, 0));
    long read = program().bytes(24);
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().outboardArrayRead(read, 24, array, 0, 2, 1, 12, 1, 1, 0));
    ok(driver().outboardArrayRead(read, 12, array, 0, 2, 1, 12, 1, 1, 0));
    assertEquals(0, Native.getInt(read));
    assertEquals(7, Native.getInt(read + 4));
    assertEquals(8, Native.getInt(read + 8));
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().outboardArrayWrite(array, 16, 0, 0, 8, 1, 1, read, 8, 0));
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().outboardArrayWrite(array, -4, 0, 0, 8, 1, 1, read, 8, 0));
  }

  @Test
  void boxesGoBetweenArraysAndMemory() {
    long array = array(4, 2, 0, 0);
    long memory = program().array(1, 2, 3, 4, 5, 6, 7, 8);
    long copy = program().bytes(Memcpy3D.BYTES);
    Native.fill(copy, Memcpy3D.BYTES, (byte) 0);
    Native.putInt(copy + Memcpy3D.TYPE, 2);
    Native.putLong(copy + 48, memory);
    Native.putLong(copy + Memcpy3D.PITCH, 16);
    long target = copy + Memcpy3D.SIDE_BYTES;
    Native.putInt(target + Memcpy3D.TYPE, 3);
    Native.putLong(target + Memcpy3D.ARRAY_VALUE, array);
    Native.putLong(copy + Memcpy3D.EXTENT, 16);
    Native.putLong(copy + Memcpy3D.EXTENT + 8, 2);
    Native.putLong(copy + Memcpy3D.EXTENT + 16, 1);
    ok(driver().outboardMemcpy3D(copy, 0));
    assertArrayEquals(new int[] {1, 2, 3, 4}, row(array, 4));
    Native.putLong(target + 8, 1);
    assertEquals(CudaResult.INVALID_VALUE, driver().outboardMemcpy3D(copy, 0));
    Native.putLong(target + Memcpy3D.ARRAY_VALUE, 4711);
    assertEquals(CudaResult.INVALID_HANDLE, driver().outboardMemcpy3D(copy, 0));
  }

  @Test
  void kernelsReadAndWriteThroughObjects() {
    long array = array(3, 0, 0, 2);
    ok(driver().cuMemcpyHtoA_v2(array, 0, program().ints(5, 6, 7), 12));
    ok(driver().cuTexObjectCreate(program().out(), resource(array), sampling(), 0));
    long texture = program().value();
    ok(driver().cuSurfObjectCreate(program().out(), resource(array)));
    long surface = program().value();
    long module = program().module(KERNELS);
    long read = program().allocate(20);
    ok(program().launchOne(program().function(module, "write"), 0, surface, 4, 66));
    ok(program().launchOne(program().function(module, "read"), 0, read, texture, 4));
    assertArrayEquals(new int[] {5, 5, 66, 7, 7}, program().read(read, 5));
    ok(driver().cuTexObjectDestroy(texture));
    ok(program().launchOne(program().function(module, "read"), 0, read, texture, 4));
    assertArrayEquals(new int[5], program().read(read, 5));
  }

  /** Holds the stream until the test writes {@code mark}: what is launched behind waits there. */
  private long held(long mark) {
    ok(driver().cuStreamCreate(program().out(), 1));
    long stream = program().value();
    ok(driver().cuStreamWaitValue32_v2(stream, mark, 1, 0));
    return stream;
  }

  @Test
  void objectsLiveUntilEarlierLaunchesAreDone() {
    long array = array(3, 0, 0, 2);
    ok(driver().cuMemcpyHtoA_v2(array, 0, program().ints(5, 6, 7), 12));
    long module = program().module(KERNELS);
    long read = program().function(module, "read");
    long write = program().function(module, "write");
    long memory = program().allocate(20);
    long mark = program().array(0);
    long stream = held(mark);
    ok(driver().cuSurfObjectCreate(program().out(), resource(array)));
    long surface = program().value();
    ok(program().launchOne(write, stream, surface, 4, 66));
    ok(driver().cuSurfObjectDestroy(surface));
    ok(driver().cuSurfObjectDestroy(surface)); // as the vendor's driver answers
    for (int i = 0; i < 3; i++) {
      ok(driver().cuTexObjectCreate(program().out(), resource(array), sampling(), 0));
      long texture = program().value();
      ok(program().launchOne(read, stream, memory, texture, 4));
      ok(driver().cuTexObjectDestroy(texture));
      assertEquals(
          CudaResult.INVALID_VALUE, driver().cuTexObjectGetTextureDesc(program().out(), texture));
    }
    ok(driver().cuMemcpyHtoD_v2(mark, program().ints(1), 4));
    ok(driver().cuStreamSynchronize(stream));
    assertArrayEquals(new int[] {5, 5, 66, 7, 7}, program().read(memory, 5));
  }

  @Test
  void rowsOfMemoryAreTextures() {
    long memory = program().array(1, 2, 3);
    long resource = resource(memory);
    Native.putInt(resource, 2);
    Native.putInt(resource + 16, SIGNED32);
    Native.putInt(resource + 20, 1);
    Native.putLong(resource + 24, 12);
    ok(driver().cuTexObjectCreate(program().out(), resource, sampling(), 0));
    long texture = program().value();
    long read = program().allocate(20);
    long kernel = program().function(program().module(KERNELS), "read");
    ok(program().launchOne(kernel, 0, read, texture, 4));
    assertArrayEquals(new int[] {0, 1, 2, 3, 0}, program().read(read, 5));
    Native.putLong(resource + 8, memory + 4);
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().cuTexObjectCreate(program().out(), resource, sampling(), 0));
  }

  @Test
  void memoryComesBack() {
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    long free = program().value();
    long array = array(1000, 100, 0, 0);
    long shape = shape(64, 64, 0, FLOAT, 4, 0);
    ok(driver().cuMipmappedArrayCreate(program().out(), shape, 3));
    long levels = program().value();
    ok(driver().cuMipmappedArrayGetLevel(program().out(), levels, 2));
    long level = program().value();
    ok(driver().cuArray3DGetDescriptor_v2(shape, level));
    assertEquals(16, Native.getLong(shape));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuArrayDestroy(level));
    ok(driver().cuMipmappedArrayDestroy(levels));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuArray3DGetDescriptor_v2(shape, level));
    ok(driver().cuArrayDestroy(array));
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    assertEquals(free, program().value());
    long large = shape(131_072, 65_536, 0, FLOAT, 4, 0);
    assertEquals(CudaResult.OUT_OF_MEMORY, driver().cuArray3DCreate_v2(program().out(), large));
  }
}
