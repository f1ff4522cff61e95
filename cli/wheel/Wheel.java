// SPDX-License-Identifier: Apache-2.0

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Packs a folder as a Python wheel: a ZIP archive of its files, ended by the list of them with their hashes. The same
 * files give the same bytes. Modes of files are kept, which the JDK's own archives do not.
 *
 * <pre>
 * java Wheel.java FOLDER FILE
 * </pre>
 *
 * <p>The folder has one folder {@code *.dist-info} that lacks {@code RECORD} (Python packaging's "Binary distribution
 * format"; ZIP's APPNOTE.TXT, 4.3).
 */
final class Wheel {
  private static final String INFORMATION = ".dist-info";
  private static final int MOST_BYTES = 1 << 30;

  private final Path folder;
  private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
  private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
  private final StringBuilder record = new StringBuilder();
  private int members;

  private Wheel(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    byte[] wheel = new Wheel(Path.of(arguments[0])).pack();
    Files.write(Path.of(arguments[1]), wheel);
  }

  private byte[] pack() throws IOException, GeneralSecurityException {
    List<Path> files = files();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      add(new Member(name(file), bytes, Files.isExecutable(file)));
      record.append("%s,sha256=%s,%d\n".formatted(name(file), hash(bytes), bytes.length));
    }
    String list = name(files.getLast().getParent()) + "/RECORD";
    record.append(list).append(",,\n");
    add(new Member(list, record.toString().getBytes(UTF_8), false));
    return end();
  }

  /** In order of name, what is said of them at last: so the list can be found without reading all. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files = new ArrayList<>(all.filter(Files::isRegularFile).sorted().toList());
      List<Path> information = files.stream().filter(this::isInformation).toList();
      files.removeAll(information);
      files.addAll(information);
      return files;
    }
  }

  private boolean isInformation(Path file) {
    return folder.relativize(file).getName(0).toString().endsWith(INFORMATION);
  }

  private String name(Path file) {
    return folder.relativize(file).toString();
  }

  private static String hash(byte[] bytes) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }

  private void add(Member member) throws IOException {
    directory.write(member.entry(archive.size()));
    archive.write(member.header());
    archive.write(member.packed());
    members++;
    if (archive.size() > MOST_BYTES) {
      throw new IOException("a wheel of more than " + MOST_BYTES + " bytes");
    }
  }

  private byte[] end() throws IOException {
    int at = archive.size();
    archive.write(directory.toByteArray());
    archive.write(
        Member.littleEndian(22)
            .putInt(0x06054b50)
            .putInt(0)
            .putShort((short) members)
            .putShort((short) members)
            .putInt(directory.size())
            .putInt(at)
            .putShort((short) 0)
            .array());
    return archive.toByteArray();
  }

  /** A file of the archive. */
  private static final class Member {
    private static final short VERSION = 20;
    private static final short UNIX = 3 << 8;
    private static final short NAMES_IN_UTF8 = 1 << 11;
    private static final short DEFLATED = 8;
    // 21 November 2026, as in all that the build packs.
    private static final short DATE = (short) ((2026 - 1980) << 9 | 11 << 5 | 21);
    private static final int REGULAR = 0100000;

    private final byte[] name;
    private final byte[] packed;
    private final int length;
    private final int checksum;
    private final int mode;

    Member(String name, byte[] bytes, boolean executable) throws IOException {
      this.name = name.getBytes(UTF_8);
      packed = deflate(bytes);
      length = bytes.length;
      CRC32 crc = new CRC32();
      crc.update(bytes);
      checksum = (int) crc.getValue();
      mode = REGULAR | (executable ? 0755 : 0644);
    }

    private static byte[] deflate(byte[] bytes) throws IOException {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
          DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
        out.write(bytes);
      }
      return packed.toByteArray();
    }

    byte[] packed() {
      return packed;
    }

    /** The header before the file. */
    byte[] header() {
      ByteBuffer header = littleEndian(30 + name.length).putInt(0x04034b50);
      return common(header).putShort((short) 0).put(name).array();
    }

    /** The file's entry in the archive's directory. */
    byte[] entry(int at) {
      ByteBuffer entry =
          littleEndian(46 + name.length).putInt(0x02014b50).putShort((short) (UNIX | VERSION));
      return common(entry)
          .putShort((short) 0)
          .putShort((short) 0)
          .putShort((short) 0)
          .putShort((short) 0)
          .putInt(mode << 16)
          .putInt(at)
          .put(name)
          .array();
    }

    private ByteBuffer common(ByteBuffer to) {
      return to.putShort(VERSION)
          .putShort(NAMES_IN_UTF8)
          .putShort(DEFLATED)
          .putShort((short) 0)
          .putShort(DATE)
          .putInt(checksum)
          .putInt(packed.length)
          .putInt(length)
          .putShort((short) name.length);
    }

    static ByteBuffer littleEndian(int bytes) {
      return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
