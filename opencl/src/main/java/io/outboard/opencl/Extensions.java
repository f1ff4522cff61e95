// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The extensions that come through: those of the language and of questions. What has functions, or
 * shares memory with other libraries of the program, does not, but for what is listed in {@link
 * #SERVED}.
 */
final class Extensions {
  /** Of Khronos: those with functions, or with other libraries' objects. */
  private static final Pattern WITH_FUNCTIONS =
      Pattern.compile(
          "cl_khr_(gl_.*|egl_.*|d3d.*|dx9_.*|command_buffer.*|semaphore.*|external_.*"
              + "|terminate_context|suggested_local_work_size|create_command_queue)");

  /** Of others: none but these, which have no functions. */
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
          "cl_nv_pragma_unroll");

  /** cl_name_version: 4 bytes of version, and the name. */
  private static final int VERSIONED = 68;

  private static final int VERSION = 4;

  private Extensions() {}

  private static boolean comesThrough(String name) {
    return name.startsWith("cl_khr_")
        ? !WITH_FUNCTIONS.matcher(name).matches()
        : SERVED.contains(name);
  }

  /** The names in a list with blanks between them, ended by NUL. */
  static byte[] remotable(byte[] list) {
    String names = new String(list, UTF_8).replace("\0", "");
    String kept =
        Arrays.stream(names.split(" "))
            .filter(Extensions::comesThrough)
            .collect(Collectors.joining(" "));
    return (kept + "\0").getBytes(UTF_8);
  }

  /** The entries of a list with versions. */
  static byte[] remotableVersions(byte[] list) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    for (int at = 0; at + VERSIONED <= list.length; at += VERSIONED) {
      String name = new String(list, at + VERSION, VERSIONED - VERSION, UTF_8);
      if (comesThrough(name.substring(0, Math.max(0, name.indexOf('\0'))))) {
        kept.write(list, at, VERSIONED);
      }
    }
    return kept.toByteArray();
  }
}
