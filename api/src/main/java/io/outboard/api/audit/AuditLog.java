// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.audit;

import io.outboard.api.http.AddressBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Records changes and refusals in three books: changes by operators, changes by others, and
 * refusals. No book can push out the lines of another. Each has a bound, whoever asks how often:
 * {@link #MOST_BYTES} for all together. Refusals of one address are told {@link Refusals#LINES}
 * times a minute and counted from then on. Service goes on where lines cannot be written; they are
 * counted.
 */
public final class AuditLog implements AutoCloseable {
  /** Changes of operators: grants, tokens, roles, tenants, devices. */
  public static final String OPERATORS = "audit.jsonl";

  /** Changes of users: their leases. */
  public static final String USERS = "audit-users.jsonl";

  /** Refusals and failures. */
  public static final String REFUSED = "audit-refused.jsonl";

  private static final long FILE_BYTES = 4 << 20;
  private static final int FILES_OF_CHANGES = 8;
  private static final int FILES_OF_REFUSALS = 4;

  /** Most bytes of all files together. */
  static final long MOST_BYTES = FILE_BYTES * (2 * FILES_OF_CHANGES + FILES_OF_REFUSALS);

  private final Path folder;
  private final AuditBook operators;
  private final AuditBook users;
  private final AuditBook refused;
  private final List<AuditBook> books;
  // Guarded by this object's monitor.
  private final Refusals refusals;

  /** Adds to the files in a folder. */
  public AuditLog(Path folder, InstantSource clock) throws IOException {
    this.folder = folder;
    operators = new AuditBook(folder.resolve(OPERATORS), FILE_BYTES, FILES_OF_CHANGES, clock);
    users = new AuditBook(folder.resolve(USERS), FILE_BYTES, FILES_OF_CHANGES, clock);
    refused = new AuditBook(folder.resolve(REFUSED), FILE_BYTES, FILES_OF_REFUSALS, clock);
    books = List.of(operators, users, refused);
    refusals = new Refusals(clock);
  }

  /** Something was changed, by an operator or by somebody else. */
  public void changed(boolean byOperator, Map<String, Object> line) {
    (byOperator ? operators : users).add(line);
  }

  /** Somebody was refused. */
  public synchronized void refused(AddressBlock address, Map<String, Object> line) {
    tell();
    if (refusals.isTold(address)) {
      refused.add(line);
    }
  }

  /** Tells the counts of a minute that is over; to be called now and then. */
  public synchronized void tell() {
    refusals.over().forEach(refused::add);
  }

  /** Whether lines can be written, as far as is known; tries, where one could not. */
  public boolean works() {
    return books.stream().allMatch(AuditBook::works);
  }

  /** Lines that could not be written. */
  public long lost() {
    return books.stream().mapToLong(AuditBook::lost).sum();
  }

  /**
   * The last lines of a book, the youngest first.
   *
   * @param book {@link #OPERATORS}, {@link #USERS} or {@link #REFUSED}
   * @throws IOException if it cannot be read
   */
  public List<Map<String, Object>> last(String book, int most) throws IOException {
    return AuditBook.last(folder.resolve(book), most);
  }

  @Override
  public synchronized void close() throws IOException {
    refusals.rest().forEach(refused::add);
    for (AuditBook book : books) {
      book.close();
    }
  }
}
