// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;

/**
 * Images that this host keeps for its clients, in files that are named by the SHA-256 of what they
 * hold. The workers of a host share them.
 *
 * <p>Nobody trusts a file: an image is read into this process's memory first, and used only if it
 * has the digest that was asked for. So it does not matter who wrote it, and a file that is damaged
 * is removed.
 */
final class ImageFiles {
  private static final int LARGEST_SHARE = 4;
  private static final int NONCE = 8;

  /** Behind an image, for a text that lacks its NUL. */
  private static final int ZEROS = 8;

  private static final int OWN = 0600;
  private static final int READABLE = 0644;

  private final ImageFolder folder;
  private volatile boolean keeps = true;

  ImageFiles(ImageFolder folder) {
    this.folder = folder;
  }

  /** Those of this worker's host; none if it keeps no images. */
  static Optional<ImageFiles> ofThisProcess() {
    return ImageFolder.ofThisProcess().map(ImageFiles::new);
  }

  /** A digest at an address. */
  static Bytes digestAt(long address) {
    byte[] bytes = new byte[Sha256.BYTES];
    for (int i = 0; i < Sha256.BYTES; i++) {
      bytes[i] = Native.getByte(address + i);
    }
    return Bytes.of(bytes);
  }

  /** The digest of so many bytes at an address. */
  static Bytes digestOf(long address, long bytes) {
    return Sha256.of(Native.MEMORY.asSlice(address, bytes).asByteBuffer());
  }

  /**
   * Reads the image of a digest and length, zeros behind it.
   *
   * @return memory that the caller closes; null if there is none
   */
  NativeBuffer find(Bytes digest, long bytes) {
    Path file = folder.file(digest);
    // The entry may be a link or a pipe: a link is not followed, and a pipe does not block this
    // process.
    int flags = Posix.O_NOFOLLOW | Posix.O_NONBLOCK | Posix.O_CLOEXEC;
    int descriptor = Posix.open(file.toString(), flags, 0);
    if (descriptor < 0) {
      return null;
    }
    try {
      return verified(file, descriptor, digest, bytes);
    } finally {
      Posix.close(descriptor);
    }
  }

  private NativeBuffer verified(Path file, int descriptor, Bytes digest, long bytes) {
    long length = Posix.length(descriptor);
    if (length <= 0 || length > largest()) {
      drop(file);
      return null;
    }
    NativeBuffer buffer = new NativeBuffer(length + ZEROS);
    boolean read = read(descriptor, buffer.address(), length);
    boolean whole = read && digestOf(buffer.address(), length).equals(digest);
    if (whole && length == bytes) {
      used(file);
      return buffer;
    }
    buffer.close();
    if (!whole) {
      drop(file);
    }
    return null;
  }

  private static boolean read(int descriptor, long to, long bytes) {
    long done = 0;
    while (done < bytes) {
      long n = Posix.pread(descriptor, to + done, bytes - done, done);
      if (n == 0 || (n < 0 && n != -Errno.EINTR)) {
        return false;
      }
      done += Math.max(n, 0);
    }
    return true;
  }

  private static void drop(Path file) {
    Log.warn("the kept image " + file + " is damaged");
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      Log.debug("it cannot be removed: " + e);
    }
  }

  /**
   * Notes the use of an image, since the image used last is removed last. Only its user can note
   * that.
   */
  private static void used(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
    } catch (IOException e) {
      Log.debug("the use of an image is not noted: " + e);
    }
  }

  private long largest() {
    return folder.mostBytes() / LARGEST_SHARE;
  }

  /**
   * Keeps an image, if there is none of that digest yet and it is not too large. Where that fails,
   * this process tries no more.
   */
  void keep(Bytes digest, long address, long bytes) {
    Path file = folder.file(digest);
    if (!keeps || bytes > largest() || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      folder.makeRoom(bytes);
      write(file, address, bytes);
    } catch (IOException e) {
      keeps = false;
      Log.warn("images of modules are not kept", e);
    }
  }

  /** It has its bytes from the first moment that it has its name. */
  private void write(Path file, long address, long bytes) throws IOException {
    Path fresh = folder.fresh(Bytes.random(NONCE));
    try {
      fill(fresh.toString(), address, bytes);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      int unused = Posix.unlink(fresh.toString());
      throw e;
    }
  }

  private void fill(String fresh, long address, long bytes) throws IOException {
    int flags = Posix.O_WRONLY | Posix.O_CREAT | Posix.O_EXCL | Posix.O_NOFOLLOW | Posix.O_CLOEXEC;
    int descriptor = Errno.check(Posix.open(fresh, flags, OWN), fresh);
    try {
      Errno.check(Posix.writeAll(descriptor, address, bytes), fresh);
    } finally {
      Posix.close(descriptor);
    }
    if (folder.isOfSeveralUsers()) {
      Errno.check(Posix.chmod(fresh, READABLE), fresh);
    }
  }
}
