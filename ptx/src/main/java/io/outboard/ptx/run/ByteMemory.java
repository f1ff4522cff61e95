// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Shared memory and parameters: an array of bytes that one worker has to itself. */
public final class ByteMemory {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle FLOAT = view(float[].class);
  private static final VarHandle DOUBLE = view(double[].class);

  private ByteMemory() {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  private static int index(long address, int bytes) {
    int index = (int) address;
    if (index != address || (index & bytes - 1) != 0) {
      throw Fault.access(address, bytes);
    }
    return index;
  }

  public static int load8(byte[] memory, long address) {
    int index = index(address, 1);
    try {
      return memory[index];
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 1);
    }
  }

  public static int load16(byte[] memory, long address) {
    int index = index(address, 2);
    try {
      return (short) SHORT.get(memory, index);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 2);
    }
  }

  public static int load32(byte[] memory, long address) {
    int index = index(address, 4);
    try {
      return (int) INT.get(memory, index);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 4);
    }
  }

  public static long load64(byte[] memory, long address) {
    int index = index(address, 8);
    try {
      return (long) LONG.get(memory, index);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 8);
    }
  }

  public static float loadFloat(byte[] memory, long address) {
    int index = index(address, 4);
    try {
      return (float) FLOAT.get(memory, index);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 4);
    }
  }

  public static double loadDouble(byte[] memory, long address) {
    int index = index(address, 8);
    try {
      return (double) DOUBLE.get(memory, index);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 8);
    }
  }

  public static void store8(byte[] memory, long address, int value) {
    int index = index(address, 1);
    try {
      memory[index] = (byte) value;
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 1);
    }
  }

  public static void store16(byte[] memory, long address, int value) {
    int index = index(address, 2);
    try {
      SHORT.set(memory, index, (short) value);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 2);
    }
  }

  public static void store32(byte[] memory, long address, int value) {
    int index = index(address, 4);
    try {
      INT.set(memory, index, value);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 4);
    }
  }

  public static void store64(byte[] memory, long address, long value) {
    int index = index(address, 8);
    try {
      LONG.set(memory, index, value);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 8);
    }
  }

  public static void storeFloat(byte[] memory, long address, float value) {
    int index = index(address, 4);
    try {
      FLOAT.set(memory, index, value);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 4);
    }
  }

  public static void storeDouble(byte[] memory, long address, double value) {
    int index = index(address, 8);
    try {
      DOUBLE.set(memory, index, value);
    } catch (IndexOutOfBoundsException e) {
      throw Fault.access(address, 8);
    }
  }
}
