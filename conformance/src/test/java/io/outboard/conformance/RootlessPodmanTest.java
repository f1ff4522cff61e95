// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code outboard podman run} of a user without rights, whose backend shows the container as the
 * user it is: root there is this user.
 */
@Lengthy
final class RootlessPodmanTest {
  private static final String NOBODY = "65534";

  /** One user in the container, of which others' files become the property. */
  private static final String STORAGE =
      """
      [storage]
      driver = "vfs"
      [storage.options.vfs]
      ignore_chown_errors = "true"
      """;

  private static final String WALK =
      """
      set -e
      cd "$0"
      export HOME="$0" XDG_RUNTIME_DIR="$0/run" TMPDIR="$0/tmp" PATH="$0:$PATH"
      export CONTAINERS_CONF="$0/containers.conf" CONTAINERS_STORAGE_CONF="$0/storage.conf"
      outboard serve --device=software:2 --require-lease --state=state >serve.log 2>&1 &
      backend=$!
      trap 'kill $backend $(cat "$XDG_RUNTIME_DIR/libpod/tmp/pause.pid"); wait' EXIT
      until grep -q '^next' serve.log; do sleep 0.2; done
      podman import image.tar bare >/dev/null
      outboard podman run --network=none --rm --gpus=1 bare /work/vectorAdd
      until [ "$(outboard leases | wc -l)" -eq 1 ]; do sleep 0.2; done
      """;

  private Path folder;

  @BeforeEach
  void make() throws Exception {
    assumeTrue(Program.run(List.of("id", "-u"), Map.of()).output().equals("0\n"), "not root");
    assumeTrue(Program.isHere("podman"), "podman is not installed");
    folder = Folders.make("outboard-rootless");
    Launcher unused = new Launcher(folder);
    Path root = Files.createDirectory(folder.resolve("root"));
    BareRoot bare = new BareRoot(root, Home.VECTOR_ADD);
    bare.addPlaces("opt/outboard");
    done("tar", "-C", root.toString(), "-cf", folder.resolve("image.tar").toString(), ".");
    Files.writeString(folder.resolve("storage.conf"), STORAGE);
    Path settings = folder.resolve("engines");
    String script = Home.PATH.resolve("conformance/engine/private").toString();
    done(script, "settings", settings.toString());
    Files.move(settings.resolve("containers.conf"), folder.resolve("containers.conf"));
    done("chown", "-R", NOBODY + ":" + NOBODY, folder.toString());
  }

  @AfterEach
  void remove() throws IOException {
    if (folder != null) {
      Folders.remove(folder);
    }
  }

  private static void done(String... words) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(words), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  @Test
  void aUsersContainerHasTheLeaseOfTheUsersBackend() throws Exception {
    List<String> walk =
        List.of(
            "setpriv",
            "--reuid=" + NOBODY,
            "--regid=" + NOBODY,
            "--clear-groups",
            "bash",
            "-c",
            WALK,
            folder.toString());
    Program.Ended ended = Program.run(walk, Map.of());
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output(), ended::toString);
  }
}
