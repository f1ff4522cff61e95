// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Links in the making. Inputs are collected, and the vendor's linker sees them when they are all
 * there: it wants its calls from one thread (with driver 580 a second link crashed where calls of
 * the first had come from several).
 */
final class VendorLinks {
  private final AtomicLong latest = new AtomicLong();
  private final ConcurrentHashMap<Long, VendorLink> links = new ConcurrentHashMap<>();

  long create() {
    long link = latest.incrementAndGet();
    links.put(link, new VendorLink());
    return link;
  }

  int add(long link, int type, long data, long bytes, long name) {
    VendorLink added = links.get(link);
    if (added == null || data == 0 || bytes <= 0 || bytes > Integer.MAX_VALUE) {
      return added == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    byte[] copy = Native.MEMORY.asSlice(data, bytes).toArray(JAVA_BYTE);
    added.add(type, copy, name == 0 ? "" : Native.MEMORY.getString(name));
    return CudaResult.SUCCESS;
  }

  int complete(long link, long bytes) {
    VendorLink completed = links.get(link);
    if (completed == null || bytes == 0) {
      return completed == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    int result = completed.complete();
    if (result == CudaResult.SUCCESS) {
      Native.putLong(bytes, completed.image().length);
    }
    return result;
  }

  /** The text, cut at a byte where the room ends. */
  int log(long link, long to, long bytes) {
    VendorLink asked = links.get(link);
    if (asked == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (to != 0 && bytes > 0) {
      byte[] text = asked.log().getBytes(StandardCharsets.UTF_8);
      int length = (int) Math.min(text.length, bytes - 1);
      MemorySegment.copy(text, 0, Native.MEMORY, JAVA_BYTE, to, length);
      Native.putByte(to + length, (byte) 0);
    }
    return CudaResult.SUCCESS;
  }

  int image(long link, long to, long offset, long bytes) {
    VendorLink asked = links.get(link);
    byte[] image = asked == null ? null : asked.image();
    if (image == null || offset < 0 || bytes < 0 || offset > image.length - bytes) {
      return CudaResult.INVALID_VALUE;
    }
    MemorySegment.copy(image, (int) offset, Native.MEMORY, JAVA_BYTE, to, (int) bytes);
    return CudaResult.SUCCESS;
  }

  int destroy(long link) {
    return links.remove(link) == null ? CudaResult.INVALID_HANDLE : CudaResult.SUCCESS;
  }
}
