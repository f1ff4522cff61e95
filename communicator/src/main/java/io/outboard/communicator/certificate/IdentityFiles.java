// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An identity that is read anew when its files have changed, so that a certificate can be replaced
 * while a server goes on. Files that cannot be used, as where only one of both is new yet, leave
 * the identity as it was.
 */
public final class IdentityFiles implements Supplier<TlsIdentity> {
  private final Path certificate;
  private final Path key;
  private final Consumer<String> told;
  // All are guarded by this object's monitor.
  private TlsIdentity identity;
  private List<FileTime> read;
  private String lastTold = "";

  /**
   * Reads it for the first time.
   *
   * @param told is told each time that a new one is in use, or why it cannot be
   * @throws IOException if it cannot be used; the message says why
   */
  public IdentityFiles(Path certificate, Path key, Consumer<String> told) throws IOException {
    this.certificate = certificate;
    this.key = key;
    this.told = told;
    this.read = times();
    this.identity = TlsIdentity.read(certificate, key);
  }

  private List<FileTime> times() throws IOException {
    return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
  }

  /** Returns the identity of now. */
  @Override
  public synchronized TlsIdentity get() {
    try {
      List<FileTime> now = times();
      if (!now.equals(read)) {
        identity = TlsIdentity.read(certificate, key);
        read = now;
        tell("%s is in use, %s".formatted(certificate, identity.fingerprint()));
      }
    } catch (IOException e) {
      tell("the certificate stays as it was: " + e.getMessage());
    }
    return identity;
  }

  /** Each connection asks: what is known is not said again. */
  private void tell(String line) {
    if (!line.equals(lastTold)) {
      lastTold = line;
      told.accept(line);
    }
  }
}
