// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.spec.CString;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Same;
import io.outboard.wire.Native;

/**
 * Initialisation, version and devices; CUDA Driver API, sections 6.2 to 6.6. Devices are ordinals.
 */
public interface CudaDevices {
  /** Initialises the driver; {@code flags} must be 0. */
  @Call(1)
  @Custom("the facts of all devices, and CUDA_VISIBLE_DEVICES")
  int cuInit(int flags);

  /**
   * The least of what the backend's driver and this frontend implement, as 1000 × major + 10 ×
   * minor.
   */
  @Call(2)
  @Custom("the facts of devices, and the level of the frontend")
  int cuDriverGetVersion(@Out(INT) long version);

  /** Number of devices that the session may use. */
  @Call(3)
  @Custom("the facts of devices")
  int cuDeviceGetCount(@Out(INT) long count);

  /** The device of an ordinal: here, the ordinal itself. */
  @Call(4)
  @Custom("the facts of devices")
  int cuDeviceGet(@Out(INT) long device, int ordinal);

  /** Writes the name, ended by NUL, of at most {@code length} bytes. */
  @Call(5)
  @Custom("the facts of devices")
  int cuDeviceGetName(@Out @CString long name, int length, int device);

  /** Writes the 16 bytes that identify the device. */
  @Call(6)
  @Custom("the facts of devices")
  int cuDeviceGetUuid_v2(@Out(bytes = "16") long uuid, int device);

  /** Memory of the device in bytes. */
  @Call(7)
  @Custom("the facts of devices")
  int cuDeviceTotalMem_v2(@Out(LONG) long bytes, int device);

  /** One figure of a device ({@code CUdevice_attribute}). */
  @Call(8)
  @Custom("the facts of devices")
  int cuDeviceGetAttribute(@Out(INT) long value, int attribute, int device);

  /**
   * Outboard's own: initialises the driver, and tells everything constant about a device in one
   * answer.
   */
  @Call(9)
  @Custom(value = "not a function of the vendor: composed of the questions above", binding = true)
  default int outboardDeviceFacts(@Out(struct = DeviceFacts.class) long facts, int device) {
    int result = cuInit(0);
    if (result == CudaResult.SUCCESS) {
      result = cuDeviceGetName(facts, DeviceFacts.UUID, device);
    }
    if (result == CudaResult.SUCCESS) {
      result = cuDeviceGetUuid_v2(facts + DeviceFacts.UUID, device);
    }
    if (result == CudaResult.SUCCESS) {
      result = cuDeviceTotalMem_v2(facts + DeviceFacts.TOTAL_MEMORY, device);
    }
    if (result == CudaResult.SUCCESS) {
      result = cuDriverGetVersion(facts + DeviceFacts.DRIVER_VERSION);
    }
    if (result == CudaResult.SUCCESS) {
      result = cuDeviceGetCount(facts + DeviceFacts.DEVICES);
    }
    for (int attribute = 1;
        attribute < DeviceFacts.IMAGES && result == CudaResult.SUCCESS;
        attribute++) {
      long value = facts + DeviceFacts.ATTRIBUTE_VALUES + 4L * attribute;
      if (cuDeviceGetAttribute(value, attribute, device) == CudaResult.SUCCESS) {
        DeviceFacts.know(facts, attribute);
      } else {
        Native.putInt(value, 0);
      }
    }
    return result;
  }

  /**
   * Outboard's own: writes where the backend of the host is that has the device; an empty text for
   * a device of the backend itself.
   */
  @Call(632)
  @Custom(value = "not a function of the vendor: devices of several hosts", binding = true)
  default int outboardDeviceHost(@Out @CString long name, int length, int device) {
    if (length < 1) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putByte(name, (byte) 0);
    return CudaResult.SUCCESS;
  }

  /** Writes the PCI address as text, ended by NUL. */
  @Call(10)
  @Cached
  int cuDeviceGetPCIBusId(@Out @CString long name, int length, @Ordinal int device);

  /** Finds a device by its PCI address. */
  @Call(11)
  @Cached
  int cuDeviceGetByPCIBusId(@Out(INT) @Ordinal long device, @CString long name);

  /** Whether contexts of one device can use memory of the other. */
  @Call(12)
  @Cached
  int cuDeviceCanAccessPeer(@Out(INT) long possible, @Ordinal int device, @Ordinal int peer);

  /** One figure of the link between two devices ({@code CUdevice_P2PAttribute}). */
  @Call(13)
  @Cached
  int cuDeviceGetP2PAttribute(
      @Out(INT) long value, int attribute, @Ordinal int source, @Ordinal int destination);

  /** Most elements of a texture of one dimension over linear memory. */
  @Call(14)
  default int cuDeviceGetTexture1DLinearMaxWidth(
      @Out(LONG) long elements, int format, int channels, @Ordinal int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The address of a function of this library by base name and version. */
  @Local(
      prototype =
          "CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t"
              + " flags, int *status)")
  default int cuGetProcAddress_v2(
      @CString long symbol,
      @Out(LONG) long function,
      int version,
      long flags,
      @Out(INT) long status) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuGetProcAddress_v2}, without the status. */
  @Local(
      prototype =
          "CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t"
              + " flags)")
  default int cuGetProcAddress(
      @CString long symbol, @Out(LONG) long function, int version, long flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A table of functions that the vendor's own runtime asks for by identifier. */
  @Local(prototype = "CUresult cuGetExportTable(const void **table, const void *id)")
  default int cuGetExportTable(@Out(LONG) long table, @In(bytes = "16") long id) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuDeviceGetUuid_v2}. */
  @Same(as = "cuDeviceGetUuid_v2")
  default int cuDeviceGetUuid(@Out(bytes = "16") long uuid, int device) {
    return cuDeviceGetUuid_v2(uuid, device);
  }

  /** Compute capability; deprecated by the vendor for the two attributes. */
  @Local
  default int cuDeviceComputeCapability(@Out(INT) long major, @Out(INT) long minor, int device) {
    int result = cuDeviceGetAttribute(major, 75, device);
    return result == CudaResult.SUCCESS ? cuDeviceGetAttribute(minor, 76, device) : result;
  }

  /** Old summary of a device ({@code CUdevprop}); deprecated by the vendor. */
  @Local(prototype = "CUresult cuDeviceGetProperties(void *properties, int device)")
  default int cuDeviceGetProperties(@Out(bytes = "56") long properties, int device) {
    return CudaResult.NOT_SUPPORTED;
  }
}
