// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The device code that compilers put into a program: a section of containers, one for each module,
 * which hold the same code for several devices. A container is a header {@code {u32 magic, u16
 * version, u16 header size, u64 size of what follows}} and entries; {@link DeviceCode} has theirs.
 */
final class FatBinaries {
  /** The section of what the runtime loads. */
  static final String SECTION = ".nv_fatbin";

  /** The section of what was linked for the device ({@code nvcc -rdc=true}), as it was before. */
  static final String RELOCATABLE_SECTION = "__nv_relfatbin";

  private static final int MAGIC = 0xba55ed50;
  private static final int HEADER = 16;
  private static final int ALIGNMENT = 8;

  private FatBinaries() {}

  /** The modules that have code, up to the first one that is damaged or of a format not known. */
  static List<List<DeviceCode>> modules(ByteBuffer section) {
    ByteBuffer in = section.slice().order(ByteOrder.LITTLE_ENDIAN);
    List<List<DeviceCode>> modules = new ArrayList<>();
    for (long at = 0; isContainer(in, at); at = end(in, at)) {
      List<DeviceCode> module = entries(in, (int) at);
      if (!module.isEmpty()) {
        modules.add(module);
      }
    }
    return modules;
  }

  private static boolean isContainer(ByteBuffer in, long at) {
    if (at > in.limit() - HEADER || in.getInt((int) at) != MAGIC) {
      return false;
    }
    long header = header(in, (int) at);
    long size = size(in, (int) at);
    long room = in.limit() - at;
    return header >= HEADER && header <= room && size >= 0 && size <= room - header;
  }

  private static long header(ByteBuffer in, int at) {
    return in.getShort(at + 6) & 0xffff;
  }

  private static long size(ByteBuffer in, int at) {
    return in.getLong(at + 8);
  }

  /** Where the next one may be. */
  private static long end(ByteBuffer in, long at) {
    long end = at + header(in, (int) at) + size(in, (int) at);
    return (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static List<DeviceCode> entries(ByteBuffer in, int at) {
    int begin = at + (int) header(in, at);
    ByteBuffer content = in.slice(begin, (int) size(in, at)).order(ByteOrder.LITTLE_ENDIAN);
    List<DeviceCode> entries = new ArrayList<>();
    for (int next = 0; DeviceCode.fits(content, next); next += DeviceCode.bytes(content, next)) {
      entries.add(DeviceCode.read(content, next));
    }
    return entries;
  }
}
