// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The platforms that the operator has chosen, of those that the host has, and what they can do for
 * a program that is somewhere else: no kernels that are functions of the program, no memory that
 * both use at a time, and no extension whose functions would not come through.
 */
public final class ServedDevices extends OpenClDriverForwarding {
  private static final int PLATFORM_VERSION = 0x0901;
  private static final int PLATFORM_NAME = 0x0902;
  private static final int PLATFORM_EXTENSIONS = 0x0904;
  private static final int PLATFORM_EXTENSIONS_WITH_VERSION = 0x0907;
  private static final int DEVICE_TYPE = 0x1000;
  private static final int DEVICE_EXECUTION_CAPABILITIES = 0x1029;
  private static final int DEVICE_EXTENSIONS = 0x1030;
  private static final int DEVICE_SVM_CAPABILITIES = 0x1053;
  private static final int DEVICE_EXTENSIONS_WITH_VERSION = 0x1060;

  private static final long EVERY_TYPE = 0xffffffffL;
  private static final long TYPE_DEFAULT = 1;
  private static final long TYPE_GPU = 4;
  private static final long EXEC_NATIVE_KERNEL = 2;
  private static final long SVM_COARSE_GRAIN = 1;

  /** Behind the version: programs know a platform by its name, and work around what it lacks. */
  private static final String MARK = " (Outboard)";

  private static final int WORD = Long.BYTES;

  private final long[] platforms;

  /** A question for what is known of an object. */
  public interface Question {
    int ask(int name, long size, long value, long sizeRet);
  }

  /** The platforms that are looked at. */
  public enum Part {
    /** All of them. */
    ALL,
    /** Those whose devices are GPUs, one and all: no kernel runs on a processor of the host. */
    GPUS
  }

  private ServedDevices(OpenClDriver host, long[] platforms) {
    super(host);
    this.platforms = platforms;
  }

  /**
   * Serves the platforms of a host whose names have {@code wanted} in them, whatever the case.
   *
   * @param of which platforms are looked at
   * @throws IllegalArgumentException if there is none
   */
  public static ServedDevices of(OpenClDriver host, String wanted, Part of) {
    String part = wanted.toLowerCase(Locale.ROOT);
    List<Long> all =
        all(host).stream().filter(one -> of == Part.ALL || isOfGpus(host, one)).toList();
    long[] chosen =
        all.stream()
            .filter(platform -> name(host, platform).toLowerCase(Locale.ROOT).contains(part))
            .mapToLong(Long::longValue)
            .toArray();
    if (chosen.length == 0) {
      String there = String.join(", ", all.stream().map(one -> name(host, one)).toList());
      throw new IllegalArgumentException(
          all.isEmpty()
              ? nothing(of)
              : "no OpenCL platform has '" + wanted + "' in its name; there are: " + there);
    }
    return new ServedDevices(host, chosen);
  }

  private static String nothing(Part of) {
    return "the host's OpenCL has no platform" + (of == Part.ALL ? "" : " of GPUs alone");
  }

  private static boolean isOfGpus(OpenClDriver host, long platform) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int found = host.clGetDeviceIDs(platform, EVERY_TYPE, 0, 0, count.address());
      int devices = count.get(JAVA_INT, 0);
      if (found != OpenClResult.SUCCESS || devices < 1) {
        return false;
      }
      MemorySegment list = arena.allocate(JAVA_LONG, devices);
      return host.clGetDeviceIDs(platform, EVERY_TYPE, devices, list.address(), 0)
              == OpenClResult.SUCCESS
          && list.elements(JAVA_LONG).allMatch(one -> isGpu(host, one.get(JAVA_LONG, 0)));
    }
  }

  private static boolean isGpu(OpenClDriver host, long device) {
    long type =
        VendorExtensions.word(
            DEVICE_TYPE,
            (name, size, value, ret) -> host.clGetDeviceInfo(device, name, size, value, ret));
    return (type & ~TYPE_DEFAULT) == TYPE_GPU;
  }

  static List<Long> all(OpenClDriver host) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      if (host.clGetPlatformIDs(0, 0, count.address()) != OpenClResult.SUCCESS) {
        return List.of();
      }
      MemorySegment list = arena.allocate(JAVA_LONG, count.get(JAVA_INT, 0));
      host.clGetPlatformIDs(count.get(JAVA_INT, 0), list.address(), 0);
      return list.elements(JAVA_LONG).map(one -> one.get(JAVA_LONG, 0)).toList();
    }
  }

  /** Whether a device has command buffers as they are described here. */
  static boolean hasCommandBuffers(OpenClDriver host, long device) {
    return Extensions.hasCommandBuffers(
        versions(
            DEVICE_EXTENSIONS_WITH_VERSION,
            (what, size, value, sizeRet) ->
                host.clGetDeviceInfo(device, what, size, value, sizeRet)));
  }

  /** None where the host does not tell, as before OpenCL 3.0. */
  private static Map<String, Integer> versions(int name, Question question) {
    byte[] list = answer(name, question);
    return list == null ? Map.of() : Extensions.versions(list);
  }

  private static String name(OpenClDriver host, long platform) {
    byte[] name =
        answer(
            PLATFORM_NAME,
            (what, size, value, sizeRet) ->
                host.clGetPlatformInfo(platform, what, size, value, sizeRet));
    return name == null ? "" : text(name);
  }

  @Override
  public int clGetPlatformIDs(int numEntries, long list, long numPlatforms) {
    if ((list == 0 && numPlatforms == 0) || (list != 0 && numEntries < 1)) {
      return OpenClResult.INVALID_VALUE;
    }
    for (int i = 0; list != 0 && i < Math.min(numEntries, platforms.length); i++) {
      Native.putLong(list + (long) WORD * i, platforms[i]);
    }
    if (numPlatforms != 0) {
      Native.putInt(numPlatforms, platforms.length);
    }
    return OpenClResult.SUCCESS;
  }

  /** No platform means the first one. */
  @Override
  public int clGetDeviceIDs(
      long platform, long deviceType, int numEntries, long devices, long numDevices) {
    long meant = platform == 0 ? platforms[0] : platform;
    return delegate.clGetDeviceIDs(meant, deviceType, numEntries, devices, numDevices);
  }

  @Override
  public int clGetPlatformInfo(long platform, int name, long size, long value, long sizeRet) {
    Question question =
        (what, room, to, ret) -> delegate.clGetPlatformInfo(platform, what, room, to, ret);
    return switch (name) {
      case PLATFORM_VERSION -> changed(name, size, value, sizeRet, question, ServedDevices::marked);
      case PLATFORM_EXTENSIONS -> {
        Map<String, Integer> versions = versions(PLATFORM_EXTENSIONS_WITH_VERSION, question);
        yield changed(
            name, size, value, sizeRet, question, list -> Extensions.remotable(list, versions));
      }
      case PLATFORM_EXTENSIONS_WITH_VERSION ->
          changed(name, size, value, sizeRet, question, Extensions::remotableVersions);
      default -> question.ask(name, size, value, sizeRet);
    };
  }

  @Override
  public int clGetDeviceInfo(long device, int name, long size, long value, long sizeRet) {
    Question question =
        (what, room, to, ret) -> delegate.clGetDeviceInfo(device, what, room, to, ret);
    return switch (name) {
      case DEVICE_EXECUTION_CAPABILITIES ->
          changed(name, size, value, sizeRet, question, bits -> without(bits, EXEC_NATIVE_KERNEL));
      case DEVICE_SVM_CAPABILITIES ->
          changed(name, size, value, sizeRet, question, bits -> without(bits, ~SVM_COARSE_GRAIN));
      case DEVICE_EXTENSIONS -> {
        Map<String, Integer> versions = versions(DEVICE_EXTENSIONS_WITH_VERSION, question);
        yield changed(
            name, size, value, sizeRet, question, list -> Extensions.remotable(list, versions));
      }
      case DEVICE_EXTENSIONS_WITH_VERSION ->
          changed(name, size, value, sizeRet, question, Extensions::remotableVersions);
      default -> question.ask(name, size, value, sizeRet);
    };
  }

  private interface Change {
    byte[] of(byte[] answer);
  }

  private static int changed(
      int name, long size, long value, long sizeRet, Question question, Change change) {
    byte[] answer = answer(name, question);
    if (answer == null) {
      return question.ask(name, size, value, sizeRet);
    }
    byte[] changed = change.of(answer);
    if (value != 0 && size < changed.length) {
      return OpenClResult.INVALID_VALUE;
    }
    if (value != 0) {
      MemorySegment.copy(
          MemorySegment.ofArray(changed),
          0,
          MemorySegment.ofAddress(value).reinterpret(size),
          0,
          changed.length);
    }
    if (sizeRet != 0) {
      Native.putLong(sizeRet, changed.length);
    }
    return OpenClResult.SUCCESS;
  }

  /** The whole answer, null if there is none. */
  static byte[] answer(int name, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      if (question.ask(name, 0, 0, size.address()) != OpenClResult.SUCCESS) {
        return null;
      }
      MemorySegment value = arena.allocate(size.get(JAVA_LONG, 0));
      int result = question.ask(name, value.byteSize(), value.address(), 0);
      return result == OpenClResult.SUCCESS ? value.toArray(JAVA_BYTE) : null;
    }
  }

  private static byte[] without(byte[] bits, long mask) {
    MemorySegment word = MemorySegment.ofArray(new long[1]);
    word.copyFrom(MemorySegment.ofArray(bits));
    word.set(JAVA_LONG, 0, word.get(JAVA_LONG, 0) & ~mask);
    MemorySegment.ofArray(bits).copyFrom(word.asSlice(0, bits.length));
    return bits;
  }

  private static byte[] marked(byte[] version) {
    return (text(version) + MARK + "\0").getBytes(UTF_8);
  }

  private static String text(byte[] text) {
    int end = text.length > 0 && text[text.length - 1] == 0 ? text.length - 1 : text.length;
    return new String(text, 0, end, UTF_8);
  }
}
