// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The toy library in plain Java. It believes its pointers, as native code does, and checks all that
 * a native library would check.
 */
public final class ToyDriver implements Toy {
  /** What {@link #toyVersion} writes. */
  public static final int VERSION = 42;

  /** What {@link #toyFuture} writes. */
  public static final int FUTURE = 2100;

  /** What {@link #toyName} writes. */
  public static final String NAME = "toy device";

  /** Nodes that every buffer has. */
  public static final int NODES = 4;

  /** Largest buffer in bytes. */
  public static final int LARGEST = 4 << 20;

  private static final int SPACING = 256;

  private final Map<Long, Buffer> buffers = new HashMap<>();
  private final Map<Long, Integer> streams = new HashMap<>();
  private long nextBuffer = 0x10000;
  private long nextStream = 0x500;
  private long callback;
  private long callbackData;
  private int versionQuestions;

  private static final class Buffer {
    private final Arena arena = Arena.ofShared();
    private final long bytes;
    private final long address;
    private int nodes = NODES;

    Buffer(long bytes) {
      this.bytes = bytes;
      this.address = arena.allocate(Math.max(1, bytes), 8).address();
    }
  }

  /** Creates one that has the streams 0, 1 and 2. */
  public ToyDriver() {
    streams.put(-1L, 0);
    streams.put(0L, 0);
    streams.put(1L, 0);
    streams.put(2L, 0);
  }

  /** The function that {@link #toyRun} was last given. */
  public long callback() {
    return callback;
  }

  /** The data that {@link #toyRun} was last given. */
  public long callbackData() {
    return callbackData;
  }

  /** How often the version was asked for. */
  public int versionQuestions() {
    return versionQuestions;
  }

  @Override
  public int toyNothing() {
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyAdd(byte a, short b, int c, long d, float e, double f, long sum) {
    return writeDouble(sum, f + e + d + c + b + a);
  }

  @Override
  public int toyWriteScalars(long a, long b, long c, long d, long e, long f) {
    if (a == 0 || b == 0 || c == 0 || d == 0 || e == 0 || f == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putByte(a, (byte) -1);
    Native.putShort(b, (short) -2);
    Native.putInt(c, -3);
    Native.putLong(d, -4);
    Native.putFloat(e, -5.5f);
    Native.putDouble(f, -6.25);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyReadScalars(long a, long b, long c, long d, long e, long f, long sum) {
    double total = a == 0 ? 0 : Native.getByte(a);
    total += b == 0 ? 0 : Native.getShort(b);
    total += c == 0 ? 0 : Native.getInt(c);
    total += d == 0 ? 0 : Native.getLong(d);
    total += e == 0 ? 0 : Native.getFloat(e);
    total += f == 0 ? 0 : Native.getDouble(f);
    return writeDouble(sum, total);
  }

  @Override
  public int toyDouble(long value, long values, int count) {
    if (value != 0) {
      Native.putInt(value, 2 * Native.getInt(value));
    }
    for (int i = 0; values != 0 && i < count; i++) {
      Native.putLong(values + 8L * i, 2 * Native.getLong(values + 8L * i));
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toySum(long values, int count, long sum) {
    if (values == 0) {
      return ToyResult.INVALID_VALUE;
    }
    return writeLong(sum, sum(values, count));
  }

  private static long sum(long values, long count) {
    long total = 0;
    for (long i = 0; i < count; i++) {
      total += Native.getInt(values + 4 * i);
    }
    return total;
  }

  @Override
  public int toyFill(long values, int count, short value) {
    if (values == 0) {
      return ToyResult.INVALID_VALUE;
    }
    for (long i = 0; i < 2L * (count + 1L); i++) {
      Native.putShort(values + 2 * i, value);
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyBytes(long from, long to, long length, int skipped) {
    if (from == 0 || to == 0 || skipped < 0 || skipped > length) {
      return ToyResult.INVALID_VALUE;
    }
    Native.copy(from, to, length - skipped);
    Native.putInt(to + length - skipped, (int) (length - skipped));
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyNumbers(long count, long numbers) {
    if (count == 0) {
      return ToyResult.INVALID_VALUE;
    }
    int room = numbers == 0 ? 0 : Math.min(NODES, Native.getInt(count));
    for (int i = 0; i < room; i++) {
      Native.putInt(numbers + 4L * i, 10 * i);
    }
    Native.putInt(count, room == 0 ? NODES : room);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyLength(long text, long length) {
    if (text == 0) {
      return ToyResult.INVALID_VALUE;
    }
    return writeLong(length, text(text).length());
  }

  private static String text(long address) {
    StringBuilder text = new StringBuilder();
    for (long at = address; Native.getByte(at) != 0; at++) {
      text.append((char) Native.getByte(at));
    }
    return text.toString();
  }

  @Override
  public int toyName(long name, int room) {
    return writeText(name, NAME, room);
  }

  private static int writeText(long to, String text, long room) {
    if (to == 0 || room < 1) {
      return ToyResult.INVALID_VALUE;
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int length = (int) Math.min(bytes.length, room - 1);
    for (int i = 0; i < length; i++) {
      Native.putByte(to + i, bytes[i]);
    }
    Native.putByte(to + length, (byte) 0);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyCapitals(long text, long capitals, long room, long length) {
    if (text == 0 || length == 0) {
      return ToyResult.INVALID_VALUE;
    }
    String upper = text(text).toUpperCase(Locale.ROOT);
    Native.putInt(length, upper.length());
    return writeText(capitals, upper, room);
  }

  @Override
  public int toyFlip(long bytes, long length) {
    for (long i = 0; bytes != 0 && i < length; i++) {
      Native.putByte(bytes + i, (byte) ~Native.getByte(bytes + i));
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyVersion(long version) {
    versionQuestions++;
    return writeInt(version, VERSION);
  }

  @Override
  public int toyImage(long image, long length) {
    if (image == 0) {
      return ToyResult.INVALID_VALUE;
    }
    long sum = 0;
    for (long i = 0; i < length; i++) {
      sum += Native.getByte(image + i);
    }
    return sum == 0 ? ToyResult.SUCCESS : ToyResult.INVALID_VALUE;
  }

  @Override
  public int toyFuture(long year) {
    return writeInt(year, FUTURE);
  }

  @Override
  public int toyBufferCreate(long buffer, long bytes) {
    if (buffer == 0) {
      return ToyResult.INVALID_VALUE;
    }
    if (bytes < 0 || bytes > LARGEST) {
      return ToyResult.OUT_OF_MEMORY;
    }
    buffers.put(nextBuffer, new Buffer(bytes));
    Native.putLong(buffer, nextBuffer);
    nextBuffer += SPACING;
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyBufferSize(long buffer, long bytes) {
    Buffer known = buffers.get(buffer);
    return known == null ? ToyResult.INVALID_BUFFER : writeLong(bytes, known.bytes);
  }

  @Override
  public int toyBufferDestroy(long buffer) {
    Buffer known = buffers.remove(buffer);
    if (known == null) {
      return ToyResult.INVALID_BUFFER;
    }
    known.arena.close();
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyBufferAddress(long buffer, long address) {
    Buffer known = buffers.get(buffer);
    return known == null ? ToyResult.INVALID_BUFFER : writeLong(address, known.address);
  }

  @Override
  public int toyNode(long node, long buffer, int index) {
    Buffer known = buffers.get(buffer);
    if (known == null) {
      return ToyResult.INVALID_BUFFER;
    }
    return writeLong(node, node(known, buffer, index));
  }

  private static long node(Buffer known, long buffer, int index) {
    return known != null && index >= 0 && index < known.nodes ? buffer + 1 + index : 0;
  }

  @Override
  public int toyNodes(long nodes, int count, long buffer) {
    Buffer known = buffers.get(buffer);
    if (known == null || nodes == 0) {
      return ToyResult.INVALID_BUFFER;
    }
    for (int i = 0; i < count; i++) {
      Native.putLong(nodes + 8L * i, node(known, buffer, i));
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyMeasure(long objects, int count, long sum) {
    long total = 0;
    for (int i = 0; objects != 0 && i < count; i++) {
      total += measure(Native.getLong(objects + 8L * i));
    }
    return writeLong(sum, total);
  }

  private long measure(long value) {
    return buffers.containsKey(value) ? buffers.get(value).bytes : index(value);
  }

  private static long index(long node) {
    return node % SPACING - 1;
  }

  @Override
  public int toyNext(long node) {
    return toyNextAll(node, node == 0 ? 0 : 1);
  }

  @Override
  public int toyNextAll(long nodes, int count) {
    for (int i = 0; nodes != 0 && i < count; i++) {
      Native.putLong(nodes + 8L * i, next(Native.getLong(nodes + 8L * i)));
    }
    return ToyResult.SUCCESS;
  }

  private long next(long node) {
    long buffer = node - node % SPACING;
    return node(buffers.get(buffer), buffer, (int) index(node) + 1);
  }

  @Override
  public int toyNodeCreate(long node, long buffer) {
    Buffer known = buffers.get(buffer);
    if (known == null) {
      return ToyResult.INVALID_BUFFER;
    }
    if (node == 0) {
      return ToyResult.INVALID_VALUE;
    }
    if (known.nodes == SPACING - 1) {
      return ToyResult.OUT_OF_MEMORY;
    }
    known.nodes++;
    return writeLong(node, node(known, buffer, known.nodes - 1));
  }

  @Override
  public int toyStreamCreate(long stream) {
    streams.put(nextStream, 0);
    return writeLong(stream, nextStream++);
  }

  @Override
  public int toyPost(long stream, int value) {
    if (!streams.containsKey(stream)) {
      return ToyResult.INVALID_STREAM;
    }
    streams.put(stream, value);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyLast(long stream, long value) {
    return streams.containsKey(stream)
        ? writeInt(value, streams.get(stream))
        : ToyResult.INVALID_STREAM;
  }

  @Override
  public int toyWait(long stream) {
    return streams.containsKey(stream) ? ToyResult.SUCCESS : ToyResult.INVALID_STREAM;
  }

  @Override
  public int toyUpload(long to, long from, long bytes) {
    if (from == 0 || !contains(to, bytes)) {
      return ToyResult.INVALID_VALUE;
    }
    Native.copy(from, to, bytes);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyDownload(long to, long from, long bytes) {
    if (to == 0 || !contains(from, bytes)) {
      return ToyResult.INVALID_VALUE;
    }
    Native.copy(from, to, bytes);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyUploadAsync(long to, long from, long bytes, long stream) {
    return streams.containsKey(stream) ? toyUpload(to, from, bytes) : ToyResult.INVALID_STREAM;
  }

  private boolean contains(long address, long bytes) {
    return bytes >= 0
        && buffers.values().stream()
            .anyMatch(b -> address >= b.address && bytes <= b.bytes - (address - b.address));
  }

  @Override
  public int toyRun(long stream, long function, long userData) {
    callback = function;
    callbackData = userData;
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyPointSum(long point, long sum) {
    return writeDouble(
        sum, Native.getDouble(point) + Native.getDouble(point + 8) + Native.getInt(point + 16));
  }

  @Override
  public int toyPoints(long from, long to, int count) {
    if (from == 0 || to == 0) {
      return ToyResult.INVALID_VALUE;
    }
    for (long i = 0; i < 24L * count; i += 24) {
      Native.copy(from + i, to + i, 24);
      Native.putDouble(to + i, 2 * Native.getDouble(from + i));
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyBox(long box) {
    if (box == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putByte(box, (byte) (Native.getByte(box) + 1));
    for (long tag = box + 24; tag < box + 104; tag += 24) {
      Native.putInt(tag, Native.getInt(tag) + 1);
    }
    Native.putFloat(box + 112, Native.getFloat(box + 112) + 1);
    Native.putFloat(box + 116, Native.getFloat(box + 116) + 1);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyDescribe(long object, long buffer) {
    Buffer known = buffers.get(buffer);
    if (known == null || object == 0) {
      return ToyResult.INVALID_BUFFER;
    }
    Native.putInt(object, 2);
    Native.putLong(object + 8, buffer);
    Native.putLong(object + 16, known.address);
    Native.putLong(object + 24, node(known, buffer, 0));
    Native.putLong(object + 32, node(known, buffer, 1));
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyObjectSum(long object, long sum) {
    if (object == 0) {
      return ToyResult.INVALID_VALUE;
    }
    long total = measure(Native.getLong(object + 8));
    total += measure(Native.getLong(object + 24));
    return writeLong(sum, total + measure(Native.getLong(object + 32)));
  }

  @Override
  public int toyAct(long action, long sum) {
    if (action == 0) {
      return ToyResult.INVALID_VALUE;
    }
    long first = action + 8;
    return switch (Native.getInt(action)) {
      case 1 -> writeLong(sum, measure(Native.getLong(first)) + Native.getInt(first + 8));
      case 2, 3 -> {
        long indices = index(Native.getLong(first)) + index(Native.getLong(first + 8));
        toyNextAll(first, 2);
        yield writeLong(sum, indices + Native.getLong(first + 16));
      }
      default -> writeLong(sum, Native.getLong(first + 32));
    };
  }

  @Override
  public int toyBatch(long batch, long sum) {
    return toyBatches(batch, batch == 0 ? 0 : 1, sum);
  }

  @Override
  public int toyBatches(long batches, int count, long sum) {
    long total = 0;
    for (long batch = batches; batches != 0 && batch < batches + 48L * count; batch += 48) {
      total += batchSum(batch);
    }
    return writeLong(sum, total);
  }

  private long batchSum(long batch) {
    long total = counted(Native.getLong(batch + 8), Native.getInt(batch));
    long handles = Native.getLong(batch + 24);
    for (long i = 0; handles != 0 && i < Native.getLong(batch + 16); i++) {
      total += measure(Native.getLong(handles + 8 * i));
    }
    long groups = Native.getLong(batch + 40);
    for (long i = 0; groups != 0 && i < Native.getInt(batch + 32); i++) {
      long group = groups + 24 * i;
      total += counted(Native.getLong(group), Native.getInt(group + 8));
      total += measure(Native.getLong(group + 16));
    }
    return total;
  }

  private static long counted(long values, long count) {
    return values == 0 ? 0 : sum(values, count);
  }

  @Override
  public int toyConfigure(long config) {
    if (config == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putInt(config, Native.getInt(config) + 1);
    Native.putLong(config + 8, Native.getLong(config + 8) + 1);
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyVersioned(long value) {
    if (value == 0) {
      return ToyResult.INVALID_VALUE;
    }
    int bytes = Native.getInt(value) & 0xff_ffff;
    Native.putInt(value + 4, Native.getInt(value + 4) + 1);
    if (bytes > 8) {
      Native.putLong(value + 8, Native.getLong(value + 8) + 1);
    }
    return ToyResult.SUCCESS;
  }

  @Override
  public int toyCountUp(long count, long numbers) {
    int room = numbers == 0 ? 0 : Native.getInt(count);
    Native.putInt(count, 3);
    if (room < 3) {
      return ToyResult.TOO_LITTLE;
    }
    for (int i = 0; i < 3; i++) {
      Native.putInt(numbers + 4L * i, i + 1);
    }
    return ToyResult.SUCCESS;
  }

  private static int writeInt(long to, int value) {
    if (to == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putInt(to, value);
    return ToyResult.SUCCESS;
  }

  private static int writeLong(long to, long value) {
    if (to == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putLong(to, value);
    return ToyResult.SUCCESS;
  }

  private static int writeDouble(long to, double value) {
    if (to == 0) {
      return ToyResult.INVALID_VALUE;
    }
    Native.putDouble(to, value);
    return ToyResult.SUCCESS;
  }
}
