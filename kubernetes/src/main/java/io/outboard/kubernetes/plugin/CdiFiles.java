// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Files by which a container runtime knows devices (Container Device Interface, specification
 * 0.5.0): one for each claim, which has its token, so that nobody but root reads it.
 */
final class CdiFiles {
  private static final String VERSION = "0.5.0";
  private static final String KIND = "outboard.io/claim";

  /** A unique name of the cluster's, and no path. */
  private static final Pattern UID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,62}");

  private final Path folder;
  private final Map<Path, String> mounts;
  private final Map<String, String> variables;

  /**
   * Makes it.
   *
   * @param mounts places in containers, by those of the node; all are read alone
   * @param variables of all containers
   */
  CdiFiles(Path folder, Map<Path, String> mounts, Map<String, String> variables) {
    this.folder = folder;
    this.mounts = new LinkedHashMap<>(mounts);
    this.variables = new LinkedHashMap<>(variables);
  }

  private Path file(String uid) throws IOException {
    if (!UID.matcher(uid).matches()) {
      throw new IOException("this is no unique name of a claim");
    }
    return folder.resolve("outboard.io-claim-" + uid + ".json");
  }

  /**
   * Writes that of a claim, also where it is there; returns the name of its device.
   *
   * @param own variables of the claim's containers
   */
  String write(String uid, Map<String, String> own) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(variables);
    all.putAll(own);
    Map<String, Object> edits =
        Ordered.of(
            "env",
            all.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList(),
            "mounts",
            mounts.entrySet().stream().map(CdiFiles::mount).toList());
    Map<String, Object> device = Ordered.of("name", uid, "containerEdits", edits);
    Files.createDirectories(folder);
    PrivateFiles.replace(
        file(uid),
        Json.write(Ordered.of("cdiVersion", VERSION, "kind", KIND, "devices", List.of(device))));
    return KIND + "=" + uid;
  }

  private static Map<String, Object> mount(Map.Entry<Path, String> mount) {
    return Ordered.of(
        "hostPath",
        mount.getKey().toString(),
        "containerPath",
        mount.getValue(),
        "options",
        List.of("bind", "ro"));
  }

  void remove(String uid) throws IOException {
    boolean unused = Files.deleteIfExists(file(uid));
  }
}
