// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The extensions that come through: those of the language and of questions, and command buffers.
 * Other extensions have functions, or share memory with other libraries of the program, and do not
 * come through; of vendors' extensions, those in {@link #SERVED} do.
 */
final class Extensions {
  /** Of Khronos: those with functions, or with other libraries' objects. */
  private static final Pattern WITH_FUNCTIONS =
      Pattern.compile(
          "cl_khr_(gl_.*|egl_.*|d3d.*|dx9_.*|command_buffer_.*|semaphore.*|external_.*"
              + "|terminate_context|suggested_local_work_size|create_command_queue)");

  /** Of others: none but these, which have no functions, or one that is described here. */
  private static final Set<String> SERVED =
      Set.of(
          "cl_amd_device_attribute_query",
          "cl_amd_media_ops",
          "cl_amd_media_ops2",
          "cl_amd_printf",
          "cl_ext_float_atomics",
          "cl_intel_subgroups",
          "cl_intel_subgroups_short",
          "cl_nv_compiler_options",
          "cl_nv_device_attribute_query",
          "cl_nv_pragma_unroll",
          "cl_pocl_content_size");

  /** cl_name_version: 4 bytes of version, and the name. */
  private static final int VERSIONED = 68;

  private static final int VERSION = 4;

  private static final Pattern NAME = Pattern.compile("(\\S+) ?");

  private static final String COMMAND_BUFFER = "cl_khr_command_buffer";

  /** 0.9.0 and 0.9.3: the next one has more functions, the one after it other parameters. */
  private static final int FIRST_COMMAND_BUFFERS = 9 << 12;

  private static final int LAST_COMMAND_BUFFERS = 9 << 12 | 3;

  private Extensions() {}

  private static boolean comesThrough(String name, Map<String, Integer> versions) {
    if (name.equals(COMMAND_BUFFER)) {
      return hasCommandBuffers(versions);
    }
    return name.startsWith("cl_khr_")
        ? !WITH_FUNCTIONS.matcher(name).matches()
        : SERVED.contains(name);
  }

  /** Whether command buffers are there, of a version whose functions are those described here. */
  static boolean hasCommandBuffers(Map<String, Integer> versions) {
    int version = versions.getOrDefault(COMMAND_BUFFER, 0);
    return version >= FIRST_COMMAND_BUFFERS && version <= LAST_COMMAND_BUFFERS;
  }

  /**
   * The list without the names that do not come through.
   *
   * @param list names with blanks between them, ended by NUL
   * @param versions of the same extensions, as far as they are known
   */
  static byte[] remotable(byte[] list, Map<String, Integer> versions) {
    String names = new String(list, UTF_8).replace("\0", "");
    String kept =
        NAME.matcher(names)
            .replaceAll(one -> comesThrough(one.group(1), versions) ? one.group() : "");
    String ended = kept.equals(names) ? kept : kept.stripTrailing();
    return (ended + "\0").getBytes(UTF_8);
  }

  /** The entries of a list with versions that come through. */
  static byte[] remotableVersions(byte[] list) {
    Map<String, Integer> versions = versions(list);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    for (int at = 0; at + VERSIONED <= list.length; at += VERSIONED) {
      if (comesThrough(name(list, at), versions)) {
        kept.write(list, at, VERSIONED);
      }
    }
    return kept.toByteArray();
  }

  /** The versions in such a list, by name. */
  static Map<String, Integer> versions(byte[] list) {
    Map<String, Integer> versions = new HashMap<>();
    for (int at = 0; at + VERSIONED <= list.length; at += VERSIONED) {
      versions.put(
          name(list, at), ByteBuffer.wrap(list, at, VERSION).order(LITTLE_ENDIAN).getInt());
    }
    return versions;
  }

  private static String name(byte[] list, int at) {
    String name = new String(list, at + VERSION, VERSIONED - VERSION, UTF_8);
    return name.substring(0, Math.max(0, name.indexOf('\0')));
  }
}
