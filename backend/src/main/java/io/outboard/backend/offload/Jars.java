// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Native;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of jars: what the operator has put there before the start, under any name, and what
 * clients have sent since, by its digest. Only a jar that is listed stays, so that the list bounds
 * the folder; one that its signature may let run has no name, and ends with its session.
 */
final class Jars {
  private static final String SUFFIX = ".jar";
  private static final int MOST_FILES = 1_000;
  private static final int SEND_MS = 60_000;
  private static final int PIECE = 1 << 16;
  private static final int READ_ONLY = 0;

  private final Path folder;
  private final Map<Bytes, Path> files = new HashMap<>();

  private Jars(Path folder) {
    this.folder = folder;
  }

  /** The digest that 64 digits are. */
  static Bytes digest(String digits) {
    return Bytes.of(HexFormat.of().parseHex(digits));
  }

  /** Looks what is there. */
  static Jars in(Path folder) throws IOException {
    PrivateFiles.own(folder);
    PrivateFiles.removeUnfinished(folder);
    Jars jars = new Jars(folder);
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : found) {
        jars.add(file);
      }
    }
    return jars;
  }

  private void add(Path file) throws IOException {
    if (files.size() == MOST_FILES) {
      throw new IOException(folder + " has more than " + MOST_FILES + " jars");
    }
    if (Files.size(file) <= CodeRequest.MOST_BYTES) {
      files.put(Sha256.of(Files.readAllBytes(file)), file);
    }
  }

  /**
   * Opens the file of a jar, if it is here.
   *
   * @return a descriptor, the caller's to close
   */
  Optional<Integer> find(Bytes digest) throws IOException {
    Path file;
    synchronized (this) {
      file = files.get(digest);
    }
    return file == null || !Files.exists(file) ? Optional.empty() : Optional.of(open(file));
  }

  private static int open(Path file) throws IOException {
    return Errno.check(Posix.open(file.toString(), READ_ONLY | Posix.O_CLOEXEC, 0), "the jar");
  }

  /**
   * Takes a jar that a client sends.
   *
   * @param stays whether it is listed: further clients need not send it
   * @return a descriptor, the caller's to close
   * @throws IOException if it is not the one that was asked for, or the client goes or takes too
   *     long
   */
  int receive(int client, CodeRequest request, boolean stays) throws IOException {
    Path fresh = Files.createTempFile(folder, "new", "");
    try {
      if (!write(client, request.bytes(), fresh).equals(request.jar())) {
        throw new IOException("the jar that was sent has another digest");
      }
      return stays ? open(keep(fresh, request.jar())) : open(fresh);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private Path keep(Path fresh, Bytes digest) throws IOException {
    Path file = folder.resolve(digest.hex() + SUFFIX);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    synchronized (this) {
      files.put(digest, file);
    }
    return file;
  }

  /** Writes what comes, of which no more than a piece is in memory; returns its digest. */
  private static Bytes write(int client, int length, Path to) throws IOException {
    long end = System.nanoTime() + SEND_MS * 1_000_000L;
    byte[] piece = new byte[PIECE];
    MessageDigest digest = sha256();
    try (OutputStream out = Files.newOutputStream(to);
        NativeBuffer buffer = new NativeBuffer(PIECE)) {
      for (int got = 0; got < length; ) {
        int count = receive(client, buffer, Math.min(PIECE, length - got), end);
        MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, buffer.address(), piece, 0, count);
        digest.update(piece, 0, count);
        out.write(piece, 0, count);
        got += count;
      }
    }
    return Bytes.of(digest.digest());
  }

  private static int receive(int client, NativeBuffer buffer, int most, long end)
      throws IOException {
    int left = (int) ((end - System.nanoTime()) / 1_000_000);
    if (left <= 0 || Posix.poll(client, Posix.POLLIN, left) == 0) {
      throw new InterruptedIOException("the jar takes too long");
    }
    int count = Sockets.receive(client, buffer.address(), most);
    if (count == 0) {
      throw new IOException("the client has gone");
    }
    boolean again = count == -Errno.EAGAIN || count == -Errno.EINTR;
    return again ? 0 : Errno.check(count, "the connection failed");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
