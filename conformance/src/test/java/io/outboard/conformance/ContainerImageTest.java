// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An image for containers, against the rules of its format; {@link ContainerEnginesTest} runs it.
 */
final class ContainerImageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path home;
  private Path image;

  private Program.Ended make(Path base, Path file) throws Exception {
    return Program.run(
        List.of(
            "sh",
            Home.PATH.resolve("cli/sh/image.sh").toString(),
            base.toString(),
            Tarballs.client().toString(),
            "one:1.0",
            file.toString(),
            "/opt/outboard/bin/outboard-run",
            "a \"word\"",
            "another"),
        Map.of());
  }

  private static void done(String... words) throws Exception {
    Program.Ended ended = Program.run(List.of(words), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  /** OCI image specification 1.1, "Image layout", "Image manifest" and "Image configuration". */
  @Test
  void eachPartIsFoundByItsDigest() throws Exception {
    Path root = Files.createDirectories(home.resolve("root/bin"));
    Files.writeString(root.resolve("file"), "text");
    Path base = home.resolve("base.tar");
    done("tar", "-C", root.getParent().toString(), "-cf", base.toString(), ".");
    done("gzip", base.toString());
    Path file = home.resolve("image.tar.gz");
    Program.Ended ended = make(home.resolve("base.tar.gz"), file);
    assertEquals(0, ended.status(), ended::toString);
    image = Files.createDirectory(home.resolve("image"));
    done("tar", "-C", image.toString(), "-xzf", file.toString());
    JsonNode index = JSON.readTree(image.resolve("index.json").toFile());
    JsonNode manifest = JSON.readTree(blob(index.get("manifests").get(0)).toFile());
    JsonNode config = JSON.readTree(blob(manifest.get("config")).toFile());
    assertEquals("a \"word\"", config.get("config").get("Cmd").get(0).asText());
    JsonNode layers = manifest.get("layers");
    assertEquals(2, layers.size());
    for (int i = 0; i < layers.size(); i++) {
      Path unused = blob(layers.get(i));
      assertEquals(layers.get(i).get("digest"), config.get("rootfs").get("diff_ids").get(i));
    }
    done("tar", "-tf", blob(layers.get(1)).toString(), "opt/outboard/bin/outboard-run");
    JsonNode dockers = JSON.readTree(image.resolve("manifest.json").toFile()).get(0);
    assertEquals("one:1.0", dockers.get("RepoTags").get(0).asText());
    for (JsonNode part : List.of(dockers.get("Config"), dockers.get("Layers").get(1))) {
      assertTrue(Files.exists(image.resolve(part.asText())), part::asText);
    }
  }

  private Path blob(JsonNode description) throws Exception {
    String digest = description.get("digest").asText();
    Path file = image.resolve("blobs/" + digest.replace(':', '/'));
    byte[] bytes = Files.readAllBytes(file);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
    assertEquals("sha256:" + HexFormat.of().formatHex(hash), digest);
    assertEquals(bytes.length, description.get("size").asLong());
    return file;
  }

  @Test
  void aBaseOfMuslIsToldSo() throws Exception {
    Path root = Files.createDirectories(home.resolve("root/lib"));
    Files.createFile(root.resolve("ld-musl-x86_64.so.1"));
    Path base = home.resolve("base.tar");
    done("tar", "-C", root.getParent().toString(), "-cf", base.toString(), ".");
    Program.Ended ended = make(base, home.resolve("image.tar.gz"));
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains(base + " has musl and no glibc"), ended::toString);
  }

  @Test
  void aBaseThatIsNoRootIsToldAndNothingIsLeft() throws Exception {
    Path base = Files.writeString(home.resolve("base.tar"), "no tar file");
    Path file = home.resolve("image.tar.gz");
    Program.Ended ended = make(base, file);
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains(base + " is no tar file"), ended::toString);
    try (Stream<Path> left = Files.list(home)) {
      assertEquals(List.of(base), left.toList());
    }
  }
}
