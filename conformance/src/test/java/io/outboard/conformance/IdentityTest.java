// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People of a real OpenID provider, npm's oidc-provider, have the GPUs of a backend. */
final class IdentityTest {
  private static final String SCRIPT =
      Home.PATH.resolve("conformance/identity/provider").toString();

  /** The page's own command finds what is made here. */
  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(isMade(user.resolve("identity-walk/people")), "npm's oidc-provider is not there");
    Walk.type(Home.PATH.resolve("docs/identity.md"), user);
  }

  /** As 'outboard login --token' prints it, for the package for Python. */
  @Test
  void aTokenThatIsOverIsPrintedAnew(@TempDir Path files) throws Exception {
    assumeTrue(Program.isHere("python3"), "no python3");
    Program.Ended ended =
        Program.run(
            List.of(
                "python3",
                Home.PATH.resolve("conformance/identity/printed-tokens.py").toString(),
                Home.PATH.resolve("adapters/python").toString(),
                files.toString()),
            Map.of());
    assertEquals("passed\n", ended.output(), ended::toString);
  }

  private static boolean isMade(Path folder) throws Exception {
    List<String> make = List.of(SCRIPT, "make", folder.toString());
    return Program.isHere("npm")
        && Program.isHere("python3")
        && Program.run(make, Map.of()).status() == 0;
  }
}
