// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.succession;

import io.outboard.backend.worker.Succession;
import io.outboard.backend.worker.TakeOver;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.SharedFile;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A session's socket, and the file with its facts. */
public final class SessionFile implements AutoCloseable {
  private static final int OWN = 0600;
  private static final int NAME_BYTES = 8;

  private final String socket;

  SessionFile(String socket) {
    this.socket = socket;
  }

  static SessionFile create(Path folder) {
    return new SessionFile(folder.resolve(Bytes.random(NAME_BYTES).hex()).toString());
  }

  /**
   * Opens the socket for a worker; the caller closes the descriptor.
   *
   * @param key that it proves
   */
  public Succession open(Token key) throws IOException {
    int descriptor = Errno.check(Sockets.socket(Sockets.AF_UNIX), "cannot make a socket");
    try (Arena arena = Arena.ofConfined()) {
      Errno.check(
          Sockets.bind(descriptor, SocketAddress.unix(arena, socket)), "cannot bind " + socket);
      Errno.check(Posix.chmod(socket, OWN), "cannot keep others from " + socket);
      return new Succession(descriptor, key, socket);
    } catch (IOException e) {
      Posix.close(descriptor);
      throw e;
    }
  }

  private Path facts() {
    return Path.of(socket + Succession.FACTS);
  }

  /** Writes the facts, whole. */
  public void write(SessionFacts known) throws IOException {
    PrivateFiles.replace(facts(), known.text());
  }

  /**
   * Reads them.
   *
   * @throws IOException if they are not this user's alone, damaged, or of another version
   */
  public SessionFacts read() throws IOException {
    return SessionFacts.parse(PrivateFiles.read(facts()));
  }

  /** The user of the worker, if not the daemon's: facts of each version say so. */
  public OptionalInt user() throws IOException {
    return SessionFacts.user(PrivateFiles.read(facts()));
  }

  /**
   * A worker that has been taken over.
   *
   * @param connection to it
   * @param pages the descriptors that it gave back, which are those that it was given
   */
  public record Taken(int connection, List<Integer> pages) {}

  /**
   * Takes the worker over.
   *
   * @throws TakeOver.OtherVersion if it speaks another version: it ends with its session
   * @throws IOException if it is not there, or is not the one that the facts name
   */
  public Taken take(SessionFacts known) throws IOException {
    int connection = connect();
    List<Integer> pages = new ArrayList<>();
    try {
      requireWorker(connection, known);
      for (int page : TakeOver.take(connection, known.key(), known.pages().size())) {
        pages.add(page);
      }
      requirePages(pages, known);
      return new Taken(connection, pages);
    } catch (IOException e) {
      pages.forEach(Posix::close);
      Posix.close(connection);
      throw e;
    }
  }

  private static void requireWorker(int connection, SessionFacts known) throws IOException {
    int user = known.user().orElse(Processes.getuid());
    if (Sockets.peerUser(connection) != user || Sockets.peerProcess(connection) != known.worker()) {
      throw new IOException("somebody else listens at its socket");
    }
  }

  private static void requirePages(List<Integer> pages, SessionFacts known) throws IOException {
    for (int i = 0; i < pages.size(); i++) {
      if (!SharedFile.identity(pages.get(i)).equals(known.pages().get(i))) {
        throw new IOException("it has other memory than it was given");
      }
    }
  }

  /** Tells whoever is there that it is not taken over. */
  public void refuse() throws IOException {
    int connection = connect();
    try {
      TakeOver.refuse(connection);
    } finally {
      Posix.close(connection);
    }
  }

  private int connect() throws IOException {
    int connection = Errno.check(Sockets.socket(Sockets.AF_UNIX), "cannot make a socket");
    try (Arena arena = Arena.ofConfined()) {
      Errno.check(
          Sockets.connect(connection, SocketAddress.unix(arena, socket)), "no worker is there");
      return connection;
    } catch (IOException e) {
      Posix.close(connection);
      throw e;
    }
  }

  /** The session is over. */
  @Override
  public void close() {
    Posix.unlink(socket);
    Posix.unlink(socket + Succession.FACTS);
  }
}
