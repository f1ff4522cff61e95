// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.softgpu.profile.DeviceProfile;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which devices a backend serves, as {@code --device} says.
 *
 * @param count how many devices, of {@link Kind#SOFTWARE} only
 * @param profile which GPU they look like ({@link DeviceProfile#names}), of {@link Kind#SOFTWARE}
 *     only; empty for what they are
 * @param platform what the names of the OpenCL platforms that are served have in them
 */
public record DeviceChoice(Kind kind, int count, String profile, String platform) {
  /** Most software GPUs of a backend. */
  public static final int MOST = 16;

  private static final Pattern SOFTWARE =
      Pattern.compile(
          "software(:((?<count>[0-9]{1,2})|(?<profile>[A-Za-z][\\w-]*)(\\*(?<many>[0-9]{1,2}))?))?");

  private static final String OPENCL = "opencl";

  /** Where the devices come from. */
  public enum Kind {
    /** The real GPUs if there are some, else one software GPU. */
    AUTO,
    /** The real GPUs, nothing else. */
    NVIDIA,
    /** Software GPUs. */
    SOFTWARE,
    /** The host's OpenCL devices, nothing else. */
    OPENCL
  }

  /** Whether real GPUs of NVIDIA may be among them. */
  public boolean mayBeNvidia() {
    return kind == Kind.AUTO || kind == Kind.NVIDIA;
  }

  /** Whether software GPUs may be among them. */
  public boolean mayBeSoftware() {
    return kind == Kind.AUTO || kind == Kind.SOFTWARE;
  }

  /**
   * Reads {@code auto}, {@code nvidia}, {@code software[:N]}, {@code software:PROFILE[*N]} or
   * {@code opencl[:PLATFORM]}.
   *
   * @throws IllegalArgumentException if it is none of them; the message says what is expected
   */
  public static DeviceChoice parse(String text) {
    if (text.equals("auto")) {
      return new DeviceChoice(Kind.AUTO, 1, "", "");
    }
    if (text.equals("nvidia")) {
      return new DeviceChoice(Kind.NVIDIA, 0, "", "nvidia");
    }
    if (text.equals(OPENCL) || text.startsWith(OPENCL + ":")) {
      String platform = text.substring(Math.min(text.length(), OPENCL.length() + 1));
      return new DeviceChoice(Kind.OPENCL, 0, "", platform);
    }
    Matcher software = SOFTWARE.matcher(text);
    if (!software.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a device; expected auto, nvidia, software[:N], software:PROFILE[*N] or opencl[:PLATFORM]");
    }
    String profile = profile(text, software.group("profile"));
    String digits = software.group(profile.isEmpty() ? "count" : "many");
    int count = digits == null ? 1 : Integer.parseInt(digits);
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "'" + text + "': expected software:N or software:PROFILE*N, N from 1 to " + MOST);
    }
    return new DeviceChoice(Kind.SOFTWARE, count, profile, "");
  }

  private static String profile(String text, String named) {
    String profile = named == null ? "" : named.toLowerCase(Locale.ROOT);
    if (!profile.isEmpty() && !DeviceProfile.names().contains(profile)) {
      String known = String.join(", ", DeviceProfile.names());
      throw new IllegalArgumentException(
          "'" + text + "': there is no profile " + named + "; there are " + known);
    }
    return profile;
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return switch (kind) {
      case AUTO -> "auto";
      case NVIDIA -> "nvidia";
      case OPENCL -> OPENCL + (platform.isEmpty() ? "" : ":" + platform);
      case SOFTWARE -> "software:" + (profile.isEmpty() ? "" : profile + "*") + count;
    };
  }
}
