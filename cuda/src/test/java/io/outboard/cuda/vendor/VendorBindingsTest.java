// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.cuda.struct.KernelNode;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.cuda.vendor.VendorCalls.Call;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every call that is bound by hand, with a library that stands in for the vendor's: each word and
 * each byte of a structure goes where the vendor has it, and what comes back is handed on.
 */
final class VendorBindingsTest {
  private static final Path SOURCES = Path.of("src/main/java/io/outboard/cuda/vendor");
  private static final Pattern BOUND = Pattern.compile("bind\\(\\s*\"(\\w+)\"");

  /** Classes that bind by hand, with the files that say to what. */
  private static final List<Class<?>> BY_HAND = List.of(VendorCudaDriver.class, VendorGraphs.class);

  private static final List<String> FILES =
      List.of("VendorCudaDriver.java", "VendorGraphs.java", "VendorLink.java");

  // As vendor.c has them.
  private static final long KERNEL = 0x7001;
  private static final long FUNCTION = 0x7002;
  private static final long ENUMERATED = 0x7003;
  private static final long NODE_OF_KERNEL = 0x8001;
  private static final long NODE_PACKED = 0x8002;

  /** The current context of vendor.c, and the stream that it makes. */
  private static final long CURRENT = 0x1102030405060709L;

  private static final long STREAM = 0x2122232425262728L;

  // Values that are passed on unchanged: each with other bytes.
  private static final long A = 0x3132333435363738L;
  private static final long B = 0x4142434445464748L;
  private static final long C = 0x5152535455565758L;
  private static final long D = 0x6162636465666768L;
  private static final long E = 0x7172737475767778L;

  @TempDir private static Path folder;
  private static VendorCalls calls;
  private static VendorCudaDriver vendor;
  private static CudaDriver driver;
  private static final Set<String> METHODS = new TreeSet<>();
  private static final Set<String> SYMBOLS = new TreeSet<>();
  private static int tests;

  private Arena arena;
  private long out;

  @BeforeAll
  static void load() throws Exception {
    Path library = folder.resolve("libvendor.so");
    assumeTrue(compiled(library), "gcc is not installed");
    calls = new VendorCalls(library);
    vendor = VendorCudaDriver.load(library.toString());
    driver =
        (CudaDriver)
            Proxy.newProxyInstance(
                CudaDriver.class.getClassLoader(),
                new Class<?>[] {CudaDriver.class},
                (_, method, arguments) -> {
                  METHODS.add(method.getName());
                  return method.invoke(vendor, arguments);
                });
  }

  private static boolean compiled(Path library) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "gcc",
                  "-std=c11",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-shared",
                  "-fPIC",
                  "-o",
                  library.toString(),
                  "src/test/c/vendor.c")
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @BeforeEach
  void begin() {
    arena = Arena.ofConfined();
    out = pattern(8, 99);
    calls.elsewhere(0);
    tests++;
  }

  @AfterEach
  void allWasExpected(TestInfo test) {
    arena.close();
    assertEquals(List.of(), calls.take(), test::getDisplayName);
  }

  /** Fails where a test is missing; says nothing of a run of single tests. */
  @AfterAll
  static void everyBindingWasCalled() throws IOException {
    long all =
        Arrays.stream(VendorBindingsTest.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .count();
    if (tests < all) {
      return;
    }
    assertEquals(byHand(), intersection(byHand(), METHODS));
    Set<String> bound = bound();
    assertEquals(bound, intersection(bound, SYMBOLS));
    assertFalse(bound.isEmpty(), "nothing is found in the sources");
  }

  private static Set<String> intersection(Set<String> one, Set<String> other) {
    return one.stream().filter(other::contains).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The interface's calls that these classes have written out. */
  private static Set<String> byHand() {
    Set<String> calls =
        Arrays.stream(CudaDriver.class.getMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());
    return BY_HAND.stream()
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .map(Method::getName)
        .filter(calls::contains)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The vendor's functions that are bound by hand. */
  private static Set<String> bound() throws IOException {
    Set<String> symbols = new TreeSet<>();
    for (String file : FILES) {
      Matcher symbol = BOUND.matcher(Files.readString(SOURCES.resolve(file)));
      while (symbol.find()) {
        symbols.add(symbol.group(1));
      }
    }
    return symbols;
  }

  // ---- what goes down and comes up ----

  private long pattern(int bytes, int seed) {
    byte[] data = bytes(bytes, seed);
    long at = arena.allocate(Math.max(bytes, 1), 16).address();
    for (int i = 0; i < bytes; i++) {
      Native.putByte(at + i, data[i]);
    }
    return at;
  }

  private static byte[] bytes(int count, int seed) {
    byte[] data = new byte[count];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static byte[] at(long address, int count) {
    byte[] data = new byte[count];
    for (int i = 0; i < count; i++) {
      data[i] = Native.getByte(address + i);
    }
    return data;
  }

  private long text(String text) {
    return arena.allocateFrom(text).address();
  }

  /** The call succeeds, and the vendor's library hears exactly this. */
  private static void hears(int result, Call... expected) {
    assertEquals(CudaResult.SUCCESS, result);
    List<Call> heard = calls.take();
    heard.forEach(call -> SYMBOLS.add(call.name()));
    assertEquals(List.of(expected), heard);
  }

  /** A function's name and words, and those of packed parameters. */
  private static Call packed(String name, long parameters, long bytes, long... words) {
    long[] extra = {1, 1, parameters, 2, bytes, 0};
    long[] all = Arrays.copyOf(words, words.length + extra.length);
    System.arraycopy(extra, 0, all, words.length, extra.length);
    return Call.of(name, all);
  }

  // ---- images ----

  @Test
  void images() {
    hears(driver.cuModuleLoadData(out, A, B), Call.of("cuModuleLoadData", A));
    assertEquals(0x1102030405060701L, Native.getLong(out));
    hears(driver.cuLibraryLoadData(out, A, B), Call.of("cuLibraryLoadData", A, 0, 0, 0, 0, 0, 0));
    assertEquals(0x1102030405060702L, Native.getLong(out));
  }

  @Test
  void variablesAndWhetherTheyAreMirrored() {
    long bytes = pattern(8, 1);
    long sharing = pattern(8, 2);
    Call[] mirrored = {
      Call.of("cuPointerGetAttribute", 8, 0x1102030405060703L),
      Call.of("cuCtxGetDevice", 0),
      Call.of("cuDeviceGetAttribute", 89, 0x12345678)
    };
    hears(
        driver.outboardModuleVariable(out, bytes, sharing, A, text("one")),
        Call.of("cuModuleGetGlobal_v2", A).with("one"),
        mirrored[0],
        mirrored[1],
        mirrored[2]);
    assertEquals(0x1102030405060703L, Native.getLong(out));
    assertEquals(0x1102030405060704L, Native.getLong(bytes));
    assertEquals(VariableSharing.MIRRORED, Native.getLong(sharing));
    hears(
        driver.outboardLibraryVariable(out, bytes, sharing, B, text("other"), 0),
        Call.of("cuLibraryGetGlobal", B).with("other"),
        Call.of("cuPointerGetAttribute", 8, 0x1102030405060705L),
        mirrored[1],
        mirrored[2]);
    assertEquals(0x1102030405060706L, Native.getLong(bytes));
    hears(
        driver.outboardLibraryVariable(out, bytes, sharing, C, text("third"), 1),
        Call.of("cuLibraryGetManaged", C).with("third"),
        mirrored[1],
        mirrored[2]);
    assertEquals(0x1102030405060708L, Native.getLong(bytes));
  }

  @Test
  void theCurrentContext() {
    assertEquals(0x1102030405060709L, vendor.currentContext());
    hears(CudaResult.SUCCESS, Call.of("cuCtxGetCurrent", 0));
  }

  @Test
  void namesOfFunctions() {
    long name = pattern(12, 3);
    hears(driver.outboardFunctionName(name, 12, KERNEL), Call.of("cuFuncGetName", FUNCTION));
    assertEquals("a_function", Native.MEMORY.getString(name));
    hears(driver.outboardFunctionName(name, 5, FUNCTION), Call.of("cuFuncGetName", FUNCTION));
    assertEquals("a_fu", Native.MEMORY.getString(name));
  }

  @Test
  void factsOfFunctions() {
    long facts = pattern(FunctionFacts.LAYOUT_VALUES + 8 * FunctionFacts.LAYOUT, 4);
    hears(driver.outboardFunctionFacts(facts, KERNEL));
    int[] expected = {3, 36, 0x5a5a0000, 0x5a5a0001, 0, 4, 8, 8, 16, 20};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], Native.getInt(facts + 4L * i), "word " + i);
    }
    int after = 4 * expected.length;
    byte[] untouched = bytes(FunctionFacts.LAYOUT_VALUES + 8 * FunctionFacts.LAYOUT, 4);
    assertArrayEquals(Arrays.copyOfRange(untouched, after, after + 100), at(facts + after, 100));
  }

  @Test
  void factsOfAFunctionThatAnEnumerationFound() {
    long facts = pattern(FunctionFacts.LAYOUT_VALUES + 8 * FunctionFacts.LAYOUT, 4);
    hears(driver.outboardFunctionFacts(facts, ENUMERATED), Call.of("cuFuncLoad", ENUMERATED));
    assertEquals(3, Native.getInt(facts));
    assertEquals(36, Native.getInt(facts + FunctionFacts.PARAMETER_BYTES));
  }

  @Test
  void factsOfDevices() {
    long facts = pattern(DeviceFacts.BYTES, 5);
    for (long word = facts + DeviceFacts.KNOWN; word < facts + 312; word += 8) {
      Native.putLong(word, 0);
    }
    assertEquals(CudaResult.SUCCESS, driver.outboardDeviceFacts(facts, 2));
    List<Call> heard = calls.take();
    assertEquals(Call.of("cuInit", 0), heard.getFirst());
    assertEquals(Call.of("cuDeviceGetName", 256, 2), heard.get(1));
    assertEquals("n".repeat(255), Native.MEMORY.getString(facts));
    assertEquals(0xa0, Native.getByte(facts + DeviceFacts.UUID) & 0xff);
    assertEquals(0xaf, Native.getByte(facts + DeviceFacts.UUID + 15) & 0xff);
    assertEquals(0x110203040506070aL, Native.getLong(facts + DeviceFacts.TOTAL_MEMORY));
    assertEquals(13_000, Native.getInt(facts + DeviceFacts.DRIVER_VERSION));
    assertEquals(3, Native.getInt(facts + DeviceFacts.DEVICES));
    for (int attribute = 1; attribute < DeviceFacts.IMAGES; attribute++) {
      int value = Native.getInt(facts + DeviceFacts.ATTRIBUTE_VALUES + 4L * attribute);
      assertEquals(attribute == 7 ? 0 : 0x6b6b0000 + attribute, value);
      long word = Native.getLong(facts + DeviceFacts.KNOWN + 8L * (attribute / 64));
      assertEquals(attribute != 7, (word >>> (attribute & 63) & 1) != 0);
    }
    assertEquals(
        DeviceFacts.BINARIES,
        Native.getInt(facts + DeviceFacts.ATTRIBUTE_VALUES + 4L * DeviceFacts.IMAGES));
  }

  // ---- launches ----

  @Test
  void launches() {
    long parameters = pattern(36, 6);
    hears(
        driver.cuLaunchKernel(A, 1, 2, 3, 4, 5, 6, 7, B, parameters, 36),
        packed("cuLaunchKernel", parameters, 36, A, 1, 2, 3, 4, 5, 6, 7, B, 0));
    hears(
        driver.cuLaunchKernel(A, 1, 2, 3, 4, 5, 6, 7, B, parameters, 0),
        Call.of("cuLaunchKernel", A, 1, 2, 3, 4, 5, 6, 7, B, 0, 0));
    hears(
        driver.outboardLaunchKernelEx(A, B, parameters, 36),
        packed("cuLaunchKernelEx", parameters, 36, A, B, 0));
    hears(
        driver.outboardLaunchKernelEx(A, B, parameters, 0),
        Call.of("cuLaunchKernelEx", A, B, 0, 0));
  }

  @Test
  void aCooperativeLaunchHasAPointerToEachParameter() {
    long parameters = pattern(36, 7);
    byte[] all = bytes(36, 7);
    byte[] without = new byte[32];
    System.arraycopy(all, 0, without, 0, 4);
    System.arraycopy(all, 8, without, 4, 28);
    hears(
        driver.cuLaunchCooperativeKernel(KERNEL, 1, 2, 3, 4, 5, 6, 7, B, parameters, 36),
        Call.of("cuLaunchCooperativeKernel", KERNEL, 1, 2, 3, 4, 5, 6, 7, B, 1).with(without));
    hears(
        driver.cuLaunchCooperativeKernel(KERNEL, 1, 2, 3, 4, 5, 6, 7, B, parameters, 0),
        Call.of("cuLaunchCooperativeKernel", KERNEL, 1, 2, 3, 4, 5, 6, 7, B, 0));
  }

  // ---- copies ----

  @Test
  void flatBoxesAreOfDevices() {
    hears(
        driver.outboardMemcpy2D(A, B, C, D, 0x0102030405L, 0x0203040506L, E),
        Call.of(
            "cuMemcpy2DAsync_v2",
            0,
            0,
            2,
            0,
            C,
            0,
            D,
            0,
            0,
            2,
            0,
            A,
            0,
            B,
            0x0102030405L,
            0x0203040506L,
            E));
  }

  @Test
  void aBoxIsPassedOnAsItIs() {
    long copy = pattern(Memcpy3D.BYTES, 8);
    assertEquals(CudaResult.SUCCESS, driver.outboardMemcpy3D(copy, A));
    Call heard = calls.take().getFirst();
    SYMBOLS.add(heard.name());
    assertEquals(Call.of("").with(bytes(Memcpy3D.BYTES, 8)).data(), heard.data());
    assertEquals(A, heard.words().getFirst());
    assertEquals(Native.getLong(copy + Memcpy3D.EXTENT + 8), heard.words().get(2));
  }

  private static Call box(long stream, long[] from, long[] to) {
    return box(stream, new long[] {4, 5, 6}, from, to);
  }

  private static Call box(long stream, long[] extent, long[] from, long[] to) {
    long[] words = new long[4 + 18];
    words[0] = stream;
    System.arraycopy(extent, 0, words, 1, 3);
    System.arraycopy(from, 0, words, 4, 9);
    System.arraycopy(to, 0, words, 13, 9);
    return Call.of("cuMemcpy3DAsync_v2", words);
  }

  /** Without the bytes of the structure, which box has as words. */
  private static void hearsBox(int result, Call copy, long stream) {
    assertEquals(CudaResult.SUCCESS, result);
    List<Call> heard = calls.take();
    assertEquals(copy, new Call(heard.getFirst().name(), heard.getFirst().words(), ""));
    assertEquals(List.of(Call.of("cuStreamSynchronize", stream)), heard.subList(1, heard.size()));
  }

  @Test
  void arraysAreWrittenAndReadWithoutGaps() {
    long[] array = {1, 2, 3, 3, 0, A, 0, 0, 0};
    long[] host = {0, 0, 0, 1, B, 0, 4, 5, 0};
    hearsBox(driver.outboardArrayWrite(A, 1, 2, 3, 4, 5, 6, B, 120, C), box(C, host, array), C);
    hearsBox(driver.outboardArrayRead(B, 120, A, 1, 2, 3, 4, 5, 6, D), box(D, array, host), D);
    assertEquals(
        CudaResult.INVALID_VALUE, driver.outboardArrayWrite(A, 1, 2, 3, 4, 5, 6, B, 119, C));
    assertEquals(
        CudaResult.INVALID_VALUE, driver.outboardArrayRead(B, 119, A, 1, 2, 3, 4, 5, 6, C));
  }

  /** The last part of a side is the address of the device. */
  @Test
  void rowsAreWrittenWithTheirPitch() {
    long[] host = {0, 0, 0, 1, B, 0, 6, 4, 0};
    long[] device = {0, 0, 0, 2, 0, 0, 64, 4, A};
    assertEquals(CudaResult.SUCCESS, driver.outboardRowsWrite(A, 64, 6, 4, B, 24, C));
    Call heard = calls.take().getFirst();
    assertEquals(
        box(C, new long[] {6, 4, 1}, host, device), new Call(heard.name(), heard.words(), ""));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardRowsWrite(A, 64, 6, 4, B, 25, C));
  }

  @Test
  void hostMemoryIsCopied() {
    hears(
        driver.outboardCopyFromHost(A, B, C, D, 1),
        Call.of("cuMemcpyHtoDAsync_v2", A, B, C, D),
        Call.of("cuStreamSynchronize", D));
    hears(driver.outboardCopyFromHost(A, B, C, D, 0), Call.of("cuMemcpyHtoDAsync_v2", A, B, C, D));
    hears(
        driver.outboardCopyToHost(A, B, C, D, 1),
        Call.of("cuMemcpyDtoHAsync_v2", A, B, C, D),
        Call.of("cuStreamSynchronize", D));
    hears(driver.outboardCopyToHost(A, B, C, D, 0), Call.of("cuMemcpyDtoHAsync_v2", A, B, C, D));
  }

  // ---- host memory ----

  @Test
  void hostMemoryIsMapped() {
    calls.elsewhere(0x1000);
    hears(
        driver.outboardHostMap(out, A, B, 2),
        Call.of("cuMemHostRegister_v2", A, B, 2),
        Call.of("cuMemHostGetDevicePointer_v2", A, 0));
    assertEquals(A + 0x1000, Native.getLong(out));
    hears(driver.outboardHostMap(out, A, B, 1), Call.of("cuMemHostRegister_v2", A, B, 1));
    assertEquals(0, Native.getLong(out));
    hears(driver.outboardHostUnmap(A), Call.of("cuMemHostUnregister", A));
  }

  @Test
  void managedMemoryIsMappedAtItsOwnAddressOrNotAtAll() {
    hears(
        driver.outboardManagedMap(A, B),
        Call.of("cuMemHostRegister_v2", A, B, 3),
        Call.of("cuMemHostGetDevicePointer_v2", A, 0));
    hears(driver.outboardManagedUnmap(A), Call.of("cuMemHostUnregister", A));
    calls.elsewhere(8);
    assertEquals(CudaResult.NOT_SUPPORTED, driver.outboardManagedMap(A, B));
    assertEquals(Call.of("cuMemHostUnregister", A), calls.take().getLast());
    hears(driver.outboardManagedPlace(out, B));
    assertEquals(0, Native.getLong(out));
    Native.putLong(out, A);
    hears(driver.outboardManagedVariable(out, B));
    assertEquals(0, Native.getLong(out));
  }

  @Test
  void pagesOfManagedMemoryAreReadAndWrittenAndNothingElse() {
    hears(
        driver.outboardPagesAllocate(out, 64),
        Call.of("cuCtxGetDevice", 0),
        Call.of("cuDeviceGetAttribute", 89, 0x12345678),
        Call.of("cuMemAllocManaged", 65536, 1));
    long memory = Native.getLong(out);
    long read = pattern(16, 6);
    Native.putLong(memory + 8, 5);
    hears(
        load(read, memory + 8, 16, 0),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuCtxSetCurrent", 0),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuCtxSetCurrent", CURRENT));
    assertEquals(5, Native.getLong(read));
    assertEquals(CudaResult.INVALID_VALUE, load(read, memory + 49, 16, 0));
    calls.take();
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesStore(memory - 8, read, 16));
    hears(driver.cuMemFree_v2(memory), Call.of("cuMemFree_v2", memory));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesStore(memory, read, 16));
  }

  /** One run of pages. */
  private int load(long data, long address, long bytes, long context) {
    long run = pattern(16, 1);
    Native.putLong(run, address);
    Native.putLong(run + 8, bytes);
    return driver.outboardPagesLoad(data, bytes, run, run + 8, 1, context);
  }

  @Test
  void runsOfPagesComeOneBehindTheOther() {
    long memory = pagesOfManagedMemory();
    long runs = pattern(32, 1);
    Native.putLong(runs, memory);
    Native.putLong(runs + 8, memory + 48);
    Native.putLong(runs + 16, 16);
    Native.putLong(runs + 24, 8);
    hears(
        driver.outboardPagesLoad(A, 24, runs, runs + 16, 2, CURRENT),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuCtxSetCurrent", CURRENT),
        Call.of("cuCtxSynchronize", 0),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuStreamCreate", 1),
        Call.of("cuMemcpyDtoHAsync_v2", A, memory, 16, STREAM),
        Call.of("cuMemcpyDtoHAsync_v2", A + 16, memory + 48, 8, STREAM),
        Call.of("cuStreamSynchronize", STREAM),
        Call.of("cuCtxSetCurrent", CURRENT));
    for (int bytes : new int[] {-1, 0, 16, 23, 25}) {
      assertEquals(
          CudaResult.INVALID_VALUE,
          driver.outboardPagesLoad(A, bytes, runs, runs + 16, 2, CURRENT));
    }
    Native.putLong(runs + 16, -8);
    assertEquals(
        CudaResult.INVALID_VALUE, driver.outboardPagesLoad(A, 0, runs, runs + 16, 2, CURRENT));
    endsTheStreamBefore(driver.cuCtxDestroy_v2(B), Call.of("cuCtxDestroy_v2", B));
    hears(driver.cuMemFree_v2(memory), Call.of("cuMemFree_v2", memory));
  }

  @Test
  void theDeviceCopiesPagesInAStreamOfItsContext() {
    long memory = pagesOfManagedMemory();
    hears(
        driver.outboardPagesStore(memory, A, 16),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuStreamCreate", 1),
        Call.of("cuMemcpyHtoDAsync_v2", memory, A, 16, STREAM),
        Call.of("cuStreamSynchronize", STREAM));
    hears(
        load(A, memory, 16, CURRENT),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuCtxSetCurrent", CURRENT),
        Call.of("cuCtxSynchronize", 0),
        Call.of("cuCtxGetCurrent", 0),
        Call.of("cuMemcpyDtoHAsync_v2", A, memory, 16, STREAM),
        Call.of("cuStreamSynchronize", STREAM),
        Call.of("cuCtxSetCurrent", CURRENT));
    endsTheStreamBefore(driver.cuCtxDestroy_v2(B), Call.of("cuCtxDestroy_v2", B));
    driver.outboardPagesStore(memory, A, 16);
    calls.take();
    endsTheStreamBefore(
        driver.cuDevicePrimaryCtxReset_v2(3), Call.of("cuDevicePrimaryCtxReset_v2", 3));
    hears(driver.cuDevicePrimaryCtxRelease_v2(3), Call.of("cuDevicePrimaryCtxRelease_v2", 3));
    hears(driver.cuMemFree_v2(memory), Call.of("cuMemFree_v2", memory));
  }

  private void endsTheStreamBefore(int result, Call end) {
    hears(result, Call.of("cuStreamDestroy_v2", STREAM), end);
  }

  private long pagesOfManagedMemory() {
    assertEquals(CudaResult.SUCCESS, driver.outboardPagesAllocate(out, 64));
    calls.take();
    return Native.getLong(out);
  }

  /** The driver packs small pieces: the second one here would begin in a page of another. */
  @Test
  void pagesOfManagedMemoryBeginWithAPage() {
    calls.elsewhere(512);
    hears(
        driver.outboardPagesAllocate(out, 64),
        Call.of("cuCtxGetDevice", 0),
        Call.of("cuDeviceGetAttribute", 89, 0x12345678),
        Call.of("cuMemAllocManaged", 65536, 1),
        Call.of("cuMemFree_v2", Native.getLong(out) - 65536 + 512),
        Call.of("cuMemAllocManaged", 2 * 65536, 1));
  }

  @Test
  void memoryOfOthersIsReleased() {
    hears(driver.outboardMemRelease(A), Call.of("cuMemRelease", A));
    hears(driver.outboardShareEnd(A));
  }

  // ---- links ----

  @Test
  void aLinkSeesAllItsInputsAtOnce() {
    hears(driver.outboardLinkCreate(out));
    long link = Native.getLong(out);
    hears(driver.outboardLinkAddData(link, 4, pattern(20, 9), 20, text("first")));
    hears(driver.outboardLinkAddData(link, 1, pattern(30, 10), 30, text("second")));
    long bytes = pattern(8, 11);
    final long made = 0x110203040506070bL;
    hears(
        driver.outboardLinkComplete(link, bytes),
        Call.of("cuLinkCreate_v2", 2, 5, 6, (64 << 10) - 1),
        Call.of("cuLinkAddData_v2", made, 4, 20, 0, 0, 0).with(named(bytes(20, 9), "first")),
        Call.of("cuLinkAddData_v2", made, 1, 30, 0, 0, 0).with(named(bytes(30, 10), "second")),
        Call.of("cuLinkComplete", made),
        Call.of("cuLinkDestroy", made));
    assertEquals("a linked image".length() + 1, Native.getLong(bytes));
    long image = pattern(15, 12);
    hears(driver.outboardLinkImage(link, image, 2, 13));
    assertEquals("linked image", Native.MEMORY.getString(image));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardLinkImage(link, image, 2, 14));
    hears(driver.outboardLinkLog(link, image, 8));
    assertEquals("said by", Native.MEMORY.getString(image));
    hears(driver.cuLinkDestroy(link));
    assertEquals(CudaResult.INVALID_HANDLE, driver.cuLinkDestroy(link));
  }

  private static byte[] named(byte[] data, String name) {
    byte[] both = Arrays.copyOf(data, data.length + name.length());
    System.arraycopy(name.getBytes(UTF_8), 0, both, data.length, name.length());
    return both;
  }

  // ---- graphs ----

  /** A launch as it travels: the function, the shape, the size of parameters, the context. */
  private long launch() {
    long launch = pattern(KernelNode.BYTES, 13);
    Native.putLong(launch, A);
    for (int i = 0; i < 7; i++) {
      Native.putInt(launch + 8 + 4L * i, 11 + i);
    }
    Native.putLong(launch + KernelNode.CONTEXT_VALUE, E);
    return launch;
  }

  private static Call node(String name, long parameters, long bytes, long... before) {
    long[] node = {A, 11, 12, 13, 14, 15, 16, 17, 0, 0, E};
    long[] all = Arrays.copyOf(before, before.length + node.length);
    System.arraycopy(node, 0, all, before.length, node.length);
    if (bytes > 0) {
      return packed(name, parameters, bytes, all);
    }
    return Call.of(name, Arrays.copyOf(all, all.length + 1));
  }

  @Test
  void nodesOfKernels() {
    long parameters = pattern(36, 14);
    for (int bytes : new int[] {36, 0}) {
      hears(
          driver.outboardGraphAddKernelNode(out, B, C, D, launch(), parameters, bytes),
          node("cuGraphAddKernelNode_v2", parameters, bytes, B, C, D));
      assertEquals(0x110203040506070cL, Native.getLong(out));
      hears(
          driver.outboardGraphKernelNodeSetParams(B, launch(), parameters, bytes),
          node("cuGraphKernelNodeSetParams_v2", parameters, bytes, B));
      hears(
          driver.outboardGraphExecKernelNodeSetParams(B, C, launch(), parameters, bytes),
          node("cuGraphExecKernelNodeSetParams_v2", parameters, bytes, B, C));
    }
  }

  /** Seven members of the shape, then the parameters' size and the context. */
  private static void assertLaunch(long launch, long function, int bytes) {
    assertEquals(function, Native.getLong(launch));
    for (int i = 0; i < 7; i++) {
      assertEquals(21 + i, Native.getInt(launch + 8 + 4L * i));
    }
    assertEquals(bytes, Native.getInt(launch + KernelNode.PARAMETER_BYTES));
    assertEquals(0x110203040506070dL, Native.getLong(launch + KernelNode.CONTEXT_VALUE));
  }

  @Test
  void parametersOfNodesArePackedWhereverTheyLie() {
    long launch = pattern(KernelNode.BYTES, 15);
    long parameters = pattern(40, 16);
    hears(
        driver.outboardGraphKernelNodeGetParams(NODE_OF_KERNEL, launch, parameters, 40),
        Call.of("cuGraphKernelNodeGetParams_v2", NODE_OF_KERNEL));
    assertLaunch(launch, KERNEL, 36);
    byte[] gaps = bytes(40, 16);
    assertEquals(0x01020304, Native.getInt(parameters));
    assertArrayEquals(Arrays.copyOfRange(gaps, 4, 8), at(parameters + 4, 4));
    assertEquals(0x1112131415161718L, Native.getLong(parameters + 8));
    assertEquals("nineteen characters", Native.MEMORY.getString(parameters + 16));
    assertArrayEquals(Arrays.copyOfRange(gaps, 36, 40), at(parameters + 36, 4));
    hears(
        driver.outboardGraphKernelNodeGetParams(NODE_PACKED, launch, parameters, 40),
        Call.of("cuGraphKernelNodeGetParams_v2", NODE_PACKED));
    assertLaunch(launch, FUNCTION, 5);
    assertArrayEquals(new byte[] {9, 8, 7, 6, 5}, at(parameters, 5));
    Native.putByte(parameters, (byte) 77);
    hears(
        driver.outboardGraphKernelNodeGetParams(NODE_PACKED, launch, parameters, 4),
        Call.of("cuGraphKernelNodeGetParams_v2", NODE_PACKED));
    assertEquals(77, Native.getByte(parameters), "there is no room for five bytes");
  }

  @Test
  void nodesOfConditions() {
    long bodies = pattern(32, 17);
    hears(
        driver.outboardGraphAddConditionalNode(out, A, B, C, D, E, 2, bodies, 3),
        Call.of("cuGraphAddNode", A, B, C, 13, E, 2, 3, 0, D).with(new byte[12 + 208]));
    assertEquals(0x110203040506070eL, Native.getLong(out));
    for (int i = 0; i < 3; i++) {
      assertEquals(0x21 + i, Native.getLong(bodies + 8L * i));
    }
    assertArrayEquals(Arrays.copyOfRange(bytes(32, 17), 24, 32), at(bodies + 24, 8));
  }

  @Test
  void allocationsOfGraphsAreToldWithoutAccesses() {
    long told = pattern(120, 23);
    hears(driver.cuGraphMemAllocNodeGetParams(A, told), Call.of("cuGraphMemAllocNodeGetParams", A));
    byte[] expected = new byte[120];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (byte) (i < 88 || i >= 104 ? 0x40 + i : 0);
    }
    assertArrayEquals(expected, at(told, 120));
  }

  @Test
  void graphsThatBecomeNodes() {
    hears(
        driver.outboardGraphMoveChildGraphNode(out, A, B, C, D),
        Call.of("cuGraphAddNode", A, B, C, 4, D, 1, 0, 0, 0).with(new byte[12 + 208]));
    assertEquals(0x110203040506070eL, Native.getLong(out));
  }

  @Test
  void nodesOfTheHost() {
    hears(
        driver.outboardGraphAddHostNode(out, A, B, C, D, E),
        Call.of("cuGraphAddHostNode", A, B, C, D, E));
    assertEquals(0x110203040506070fL, Native.getLong(out));
    hears(
        driver.outboardGraphHostNodeSetParams(A, B, C),
        Call.of("cuGraphHostNodeSetParams", A, B, C));
    hears(
        driver.outboardGraphExecHostNodeSetParams(A, B, C, D),
        Call.of("cuGraphExecHostNodeSetParams", A, B, C, D));
    hears(driver.outboardCaptureHostFunc(A, B, C), Call.of("cuLaunchHostFunc", A, B, C));
    hears(driver.outboardAddCallback(A, B, C), Call.of("cuStreamAddCallback", A, B, C, 0));
  }

  @Test
  void anUpdateSaysWhatCameOfIt() {
    long information = pattern(32, 18);
    hears(
        driver.outboardGraphExecUpdate(A, B, information, out),
        Call.of("cuGraphExecUpdate_v2", A, B));
    assertEquals(910, Native.getInt(out));
    for (int i = 0; i < 24; i++) {
      assertEquals((byte) (0xb0 + i), Native.getByte(information + i));
    }
    assertArrayEquals(Arrays.copyOfRange(bytes(32, 18), 24, 32), at(information + 24, 8));
    assertEquals(CudaResult.NOT_SUPPORTED, driver.outboardGraphExecUpdate(A, B, information, 0));
  }

  @Test
  void whatACaptureWaitsForIsHandedOverAsFarAsThereIsRoom() {
    long status = pattern(4, 19);
    long id = pattern(8, 20);
    long nodes = pattern(24, 21);
    long edges = pattern(24, 22);
    long count = arena.allocate(8, 8).address();
    Native.putLong(count, 2);
    hears(
        driver.outboardStreamGetCaptureInfo(A, status, id, out, nodes, edges, count),
        Call.of("cuStreamGetCaptureInfo_v3", A));
    assertEquals(1, Native.getInt(status));
    assertEquals(0x1102030405060710L, Native.getLong(id));
    assertEquals(0x1102030405060711L, Native.getLong(out));
    assertEquals(2, Native.getLong(count), "so many were handed over");
    assertEquals(0x31, Native.getLong(nodes));
    assertEquals(0x32, Native.getLong(nodes + 8));
    assertArrayEquals(Arrays.copyOfRange(bytes(24, 21), 16, 24), at(nodes + 16, 8));
    byte[] handed = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18};
    assertArrayEquals(handed, at(edges, 16));
    assertArrayEquals(Arrays.copyOfRange(bytes(24, 22), 16, 24), at(edges + 16, 8));
  }
}
