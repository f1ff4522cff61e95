// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxAddressing;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxSampler;
import io.outboard.ptx.host.PtxTexelFormat;
import io.outboard.ptx.host.PtxTexture;
import io.outboard.ptx.host.PtxTrap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads of textures, and accesses of surfaces; numbers with many digits were measured on an H200.
 */
class TextureTest {
  private static final String READ_1D = "tex.1d.v4.u32.f32 {%a, %b, %c, %d}, [%object, {%f0}];";
  private static final String READ_2D =
      "tex.2d.v4.u32.f32 {%a, %b, %c, %d}, [%object, {%f0, %f1}];";
  private static final String READ_3D =
      "tex.3d.v4.f32.f32 {%x, %y, %z, %w}, [%object, {%f0, %f1, %f2, %f2}];\n"
          + "mov.b32 %a, %x; mov.b32 %b, %y; mov.b32 %c, %z; mov.b32 %d, %w;";
  private static final String READ_LAYER =
      "tex.a2d.v4.s32.f32 {%a, %b, %c, %d}, [%object, {%r0, %f1, %f2, %f2}];";
  private static final String READ_LEVEL =
      "tex.level.2d.v4.u32.f32 {%a, %b, %c, %d}, [%object, {%f0, %f1}], %f2;";
  private static final String READ_SLOPE =
      "tex.grad.2d.v4.u32.f32 {%a, %b, %c, %d}, [%object, {%f0, %f1}], {%f2, %f3}, {%f3, 0f3DCCCCCD};";
  private static final String FETCH = "tex.1d.v4.s32.s32 {%a, %b, %c, %d}, [%object, {%r0}];";

  private final Device device = new Device(1 << 20);

  @AfterEach
  void close() {
    device.close();
  }

  /** Runs an instruction with four coordinates, as bits; returns {@code %a} to %d. */
  private int[] run(String instruction, long object, int... coordinates) throws PtxTrap {
    String text =
        """
        .version 8.5
        .target sm_90
        .address_size 64
        .visible .entry test(.param .u64 out, .param .u64 in, .param .u64 object)
        {
        .reg .b64 %%out, %%in, %%object;
        .reg .b32 %%a, %%b, %%c, %%d, %%r<4>;
        .reg .f32 %%x, %%y, %%z, %%w, %%f<4>;
        ld.param.u64 %%out, [out];
        ld.param.u64 %%in, [in];
        ld.param.u64 %%object, [object];
        ld.global.v4.f32 {%%f0, %%f1, %%f2, %%f3}, [%%in];
        ld.global.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%in];
        %s
        st.global.v4.b32 [%%out], {%%a, %%b, %%c, %%d};
        ret;
        }
        """
            .formatted(instruction);
    PtxKernel kernel = device.load(text).kernels().get("test");
    long out = device.allocate(16);
    int[] four = Arrays.copyOf(coordinates, 4);
    device.launch(kernel, Dim3.of(1), Dim3.of(1), 0, out, device.ints(four), object);
    return device.ints(out, 4);
  }

  private int[] run(String instruction, long object, float... coordinates) throws PtxTrap {
    int[] bits = new int[coordinates.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(coordinates[i]);
    }
    return run(instruction, object, bits);
  }

  private float number(String instruction, PtxTexture texture, float... coordinates)
      throws PtxTrap {
    return Float.intBitsToFloat(run(instruction, device.object(texture), coordinates)[0]);
  }

  private static PtxSampler sampler(PtxAddressing mode, boolean linear, boolean normalized) {
    return new PtxSampler(
        Collections.nCopies(3, mode),
        linear,
        normalized,
        true,
        List.of(70f, 71f, 72f, 73f),
        false,
        0,
        0,
        9);
  }

  private static PtxTexture texture(PtxImage image, PtxSampler sampler) {
    return new PtxTexture(List.of(image), sampler);
  }

  private static PtxImage image(
      long address, PtxTexelFormat format, int channels, int width, int height, int depth) {
    int dimensions = depth > 1 ? 3 : height > 1 ? 2 : 1;
    long pitch = (long) width * channels * format.bytes();
    return new PtxImage(
        address, format, channels, dimensions, width, height, depth, 0, pitch, pitch * height);
  }

  /** Five by three texels of 256 times their x and y. */
  private PtxImage places() {
    float[] values = new float[30];
    for (int i = 0; i < 15; i++) {
      values[2 * i] = i % 5 * 256;
      values[2 * i + 1] = i / 5 * 256;
    }
    return image(device.floats(values), PtxTexelFormat.FLOAT, 2, 5, 3, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "WRAP, false, false, 7.3, 1.2, 1024, 256",
    "WRAP, false, true, 1.46, 0.7, 512, 512",
    "WRAP, false, true, -0.2, 0.7, 768, 512",
    "WRAP, false, true, 200000, 0.7, 0, 512",
    "WRAP, true, false, 2.9999, 1.2, 640, 179",
    "WRAP, true, true, -2e-05, 0.7, 512, 410",
    "WRAP, true, true, -0.66, 0.7, 307, 410",
    "WRAP, true, true, 1.998, 0.7, 524, 410",
    "CLAMP, false, false, 2.9999998, 1.2, 512, 256",
    "CLAMP, false, false, -1000000, 1.2, 0, 256",
    "CLAMP, true, false, 1.3339844, 1.2, 214, 179",
    "CLAMP, true, true, 1.46, 0.7, 1024, 410",
    "MIRROR, false, true, -0.2, 0.7, 256, 512",
    "MIRROR, false, true, -1.54, 0.7, 512, 512",
    "MIRROR, true, true, 1.46, 0.7, 563, 410",
    "MIRROR, true, true, -0.66, 0.7, 717, 410",
    "BORDER, false, false, 5, 1.2, 70, 71",
    "BORDER, false, true, -2e-05, 0.7, 70, 71",
    "BORDER, true, false, -0.25, 1.2, 52.5, 98.25",
    "BORDER, true, true, 0.9998, 0.7, 547, 240.5",
    "CLAMP, true, false, 1.5014648, 1.4985352, 256, 256",
    "CLAMP, true, false, 1.5019531, 1.4980469, 257, 256",
    "CLAMP, true, false, 1.5058594, 1.4941406, 258, 255",
  })
  void coordinatesMeanWhatTheHardwareMakesOfThem(
      PtxAddressing mode, boolean linear, boolean normalized, float x, float y, float a, float b)
      throws PtxTrap {
    PtxTexture texture = texture(places(), sampler(mode, linear, normalized));
    int[] read = run(READ_2D, device.object(texture), x, y);
    int[] expected = {Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), 0, 0};
    assertArrayEquals(expected, read);
  }

  /** Four texels of any size: the products of the weights are rounded. */
  @ParameterizedTest
  @CsvSource({
    "2.20300007, 5.39300013, 0.872281611, -0.598467946",
    "0.845999956, 3.89499998, 0.010657873, 0.237250894",
    "6.90799999, 3.50999999, 0.368288487, 0.197119057",
    "7.4380002, 6.56599998, 0.985065877, 0.533524573",
    "0.726999998, 3.18300009, 1.22351193, 0.444990396",
    "3.25600004, 1.81400001, -0.339368284, 0.0571306497",
    "5.86299992, 3.31200004, 0.0530985631, -0.175511941",
    "3.80500007, 1.02499998, -0.87533778, 0.500045776",
    "0.503000021, 3.95799994, 0.530329049, 0.785119176",
    "2.84299994, 7.19799995, 0.580666184, 0.340525538",
  })
  void weightsAreThoseOfTheHardware(float x, float y, float real, float fraction) throws PtxTrap {
    PtxSampler reals = sampler(PtxAddressing.CLAMP, true, false);
    PtxSampler fractions =
        new PtxSampler(reals.addressing(), true, false, false, reals.border(), false, 0, 0, 9);
    PtxImage floats = image(device.floats(Measured.FLOATS), PtxTexelFormat.FLOAT, 1, 8, 8, 1);
    long bytes = device.allocate(64);
    device.store(bytes, Measured.BYTES);
    PtxImage integers = image(bytes, PtxTexelFormat.SIGNED8, 1, 8, 8, 1);
    assertEquals(real, number(READ_2D, texture(floats, reals), x, y), 3e-7);
    assertEquals(fraction, number(READ_2D, texture(integers, fractions), x, y), 3e-5);
  }

  @Test
  void gatheringGoesCounterClockwise() throws PtxTrap {
    PtxImage floats = image(device.floats(Measured.FLOATS), PtxTexelFormat.FLOAT, 1, 8, 8, 1);
    long object = device.object(texture(floats, sampler(PtxAddressing.CLAMP, true, false)));
    String gather = "tld4.r.2d.v4.u32.f32 {%a, %b, %c, %d}, [%object, {%f0, %f1}];";
    int[] read = run(gather, object, 2f, 2f);
    float[] expected = {-0.46611443f, -0.98752844f, 0.45058382f, 0.65442556f};
    for (int i = 0; i < 4; i++) {
      assertEquals(expected[i], Float.intBitsToFloat(read[i]));
    }
    assertArrayEquals(new int[4], run(gather.replace(".r.", ".g."), object, 2f, 2f));
  }

  @Test
  void linesAndBoxesAreWeightedAlongTheirAxes() throws PtxTrap {
    float[] values = new float[24];
    for (int i = 0; i < 24; i++) {
      values[i] = 256 * (i % 4) + 16 * (i / 4 % 3) + 4096 * (i / 12);
    }
    PtxSampler linear = sampler(PtxAddressing.CLAMP, true, false);
    PtxImage box = image(device.floats(values), PtxTexelFormat.FLOAT, 1, 4, 3, 2);
    assertEquals(256 * 1.25f + 8 + 1024, number(READ_3D, texture(box, linear), 1.75f, 1, 0.75f));
    assertEquals(4096 + 512, number(READ_3D, texture(box, linear), 2.5f, 0, 100));
    PtxImage line = image(box.address(), PtxTexelFormat.FLOAT, 1, 4, 1, 1);
    assertEquals(64, number(READ_1D, texture(line, linear), 0.75f));
  }

  @Test
  void layersAreNotWeighted() throws PtxTrap {
    long address = device.floats(1, 2, 3, 4, 10, 20, 30, 40);
    PtxImage layers = new PtxImage(address, PtxTexelFormat.FLOAT, 1, 2, 2, 2, 1, 2, 8, 16);
    long object = device.object(texture(layers, sampler(PtxAddressing.CLAMP, true, false)));
    for (int layer = -1; layer < 4; layer++) {
      int[] read =
          run(READ_LAYER, object, layer, Float.floatToRawIntBits(1), Float.floatToRawIntBits(1.5f));
      assertEquals(layer == 0 ? 3.5f : 35, Float.intBitsToFloat(read[0]));
    }
  }

  private PtxTexture levels(boolean between) {
    PtxSampler plain = sampler(PtxAddressing.CLAMP, false, true);
    PtxSampler sampler =
        new PtxSampler(plain.addressing(), false, true, true, plain.border(), between, 0, 0, 9);
    float[] hundreds = new float[32];
    Arrays.fill(hundreds, 100);
    float[] more = new float[32];
    Arrays.fill(more, 200);
    return new PtxTexture(
        List.of(
            image(device.floats(new float[32]), PtxTexelFormat.FLOAT, 1, 8, 4, 1),
            image(device.floats(hundreds), PtxTexelFormat.FLOAT, 1, 4, 2, 1),
            image(device.floats(more), PtxTexelFormat.FLOAT, 1, 2, 1, 1)),
        sampler);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0",
    "0, 0, 0",
    "0.125, 0, 12.5",
    "0.375, 0, 37.5",
    "0.5, 100, 50",
    "1, 100, 100",
    "1.375, 100, 137.5",
    "1.5, 200, 150",
    "2.5, 200, 200",
    "100, 200, 200"
  })
  void levelsAreTakenOrWeighted(float level, float nearest, float weighted) throws PtxTrap {
    assertEquals(nearest, number(READ_LEVEL, levels(false), 0.3f, 0.6f, level));
    assertEquals(weighted, number(READ_LEVEL, levels(true), 0.3f, 0.6f, level));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "0.125, 0, 0", "0.25, 100, 100", "-0.375, 200, 158.59375", "2, 200, 200"})
  void levelsFollowFromSlopes(float across, float nearest, float weighted) throws PtxTrap {
    assertEquals(nearest, number(READ_SLOPE, levels(false), 0.3f, 0.6f, across, 0));
    assertEquals(weighted, number(READ_SLOPE, levels(true), 0.3f, 0.6f, across, 0));
  }

  @Test
  void fetchesOutsideAreTheBorder() throws PtxTrap {
    PtxSampler zeros =
        new PtxSampler(
            Collections.nCopies(3, PtxAddressing.BORDER),
            false,
            false,
            true,
            List.of(0f, 0f, 0f, 0f),
            false,
            0,
            0,
            0);
    PtxImage line = image(device.ints(7, 8, 9), PtxTexelFormat.SIGNED32, 1, 3, 1, 1);
    long object = device.object(texture(line, zeros));
    int[] expected = {0, 7, 8, 9, 0};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], run(FETCH, object, i - 1)[0]);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UNSIGNED8, 0xfe, 254, 0.99607843",
    "SIGNED8, 0x80, -128, -1",
    "SIGNED8, 0x7f, 127, 1",
    "UNSIGNED16, 0xffff, 65535, 1",
    "SIGNED16, 0x8000, -32768, -1",
    "UNSIGNED32, 0x80000000, -2147483648, 0",
    "SIGNED32, 0xfffffffe, -2, 0",
    "HALF, 0xc100, 0, -2.5",
    "FLOAT, 0x3fc00000, 0, 1.5",
  })
  void everyFormatIsReadAsIntegerAndAsFraction(
      PtxTexelFormat format, String stored, int integer, float fraction) throws PtxTrap {
    byte[] bytes =
        ByteBuffer.allocate(4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt((int) Long.parseLong(stored.substring(2), 16))
            .array();
    PtxSampler whole = sampler(PtxAddressing.CLAMP, false, false);
    PtxSampler parts =
        new PtxSampler(whole.addressing(), false, false, false, whole.border(), false, 0, 0, 0);
    for (int channels = 1; channels <= 4; channels *= 2) {
      long address = device.allocate(64);
      for (int channel = 0; channel < channels; channel++) {
        device.store(address + (long) channel * format.bytes(), bytes);
      }
      PtxImage image = image(address, format, channels, 1, 1, 1);
      int[] read = run(READ_2D, device.object(texture(image, whole)), 0.5f, 0.5f);
      int[] shares = run(READ_2D, device.object(texture(image, parts)), 0.5f, 0.5f);
      boolean real = !format.integral();
      boolean wide = format.integral() && format.bytes() == 4;
      int bits = Float.floatToRawIntBits(fraction);
      for (int channel = 0; channel < 4; channel++) {
        assertEquals(channel < channels ? real ? bits : integer : 0, read[channel]);
        assertEquals(channel < channels ? wide ? integer : bits : 0, shares[channel]);
      }
    }
  }

  @Test
  void theBorderIsWhatATexelCanHold() throws PtxTrap {
    PtxSampler border =
        new PtxSampler(
            Collections.nCopies(3, PtxAddressing.BORDER),
            false,
            false,
            false,
            List.of(0.75f, 0f, 0f, 0f),
            false,
            0,
            0,
            0);
    PtxImage bytes = image(device.allocate(4), PtxTexelFormat.UNSIGNED8, 1, 2, 2, 1);
    assertEquals(0.7490196f, number(READ_2D, texture(bytes, border), -1f, 0f));
    PtxImage floats = image(device.allocate(16), PtxTexelFormat.FLOAT, 1, 2, 2, 1);
    assertEquals(0.75f, number(READ_2D, texture(floats, border), -1f, 0f));
  }

  @Test
  void whatIsNoTextureIsRead() throws PtxTrap {
    assertArrayEquals(new int[4], run(READ_2D, 0, 1f, 1f));
  }

  @Test
  void texturesAndSurfacesSayWhatTheyAre() throws PtxTrap {
    long object = device.object(texture(places(), sampler(PtxAddressing.WRAP, true, true)));
    String query =
        "txq.width.b32 %a, [%object]; txq.height.b32 %b, [%object];"
            + "txq.normalized_coords.b32 %c, [%object]; txq.channel_data_type.b32 %d, [%object];";
    assertArrayEquals(new int[] {5, 3, 1, 0x10de}, run(query, object, 0));
    String surface =
        "suq.width.b32 %a, [%object]; suq.height.b32 %b, [%object];"
            + "suq.depth.b32 %c, [%object]; suq.channel_order.b32 %d, [%object];";
    assertArrayEquals(new int[] {5, 3, 0, 0x10b2}, run(surface, device.object(places()), 0));
  }

  private PtxImage square() {
    int[] values = new int[16];
    for (int i = 0; i < 16; i++) {
      values[i] = i + 1;
    }
    return image(device.ints(values), PtxTexelFormat.SIGNED32, 1, 4, 4, 1);
  }

  @ParameterizedTest
  @CsvSource({"-8, 0, 5", "-4, 0, 5", "0, 1, 5", "4, 2, 6", "12, 4, 8", "16, 0, 8", "20, 0, 8"})
  void surfacesAreReadOutside(int x, int zero, int clamped) throws PtxTrap {
    String loads =
        """
        mov.u32 %c, 0; mov.u32 %d, 0;
        suld.b.2d.b32.zero %a, [%object, {%r0, %d}];
        mov.u32 %r1, 1;
        suld.b.2d.b32.clamp %b, [%object, {%r0, %r1}];
        """;
    int[] expected = {zero, clamped, 0, 0};
    assertArrayEquals(expected, run(loads, device.object(square()), x));
  }

  @Test
  void surfacesAreWritten() throws PtxTrap {
    PtxImage square = square();
    String stores =
        """
        mov.u32 %a, 0; mov.u32 %b, 0; mov.u32 %c, 0; mov.u32 %d, 0;
        sust.b.2d.v2.b32.trap [%object, {%r0, %r1}], {%r2, %r3};
        sust.b.2d.b32.zero [%object, {%r0, 4}], %r2;
        """;
    assertArrayEquals(new int[4], run(stores, device.object(square), 8, 2, 77, 88));
    int[] values = device.ints(square.address(), 16);
    assertEquals(77, values[10]);
    assertEquals(88, values[11]);
    assertEquals(10, values[9]);
  }

  @Test
  void anAccessOutsideOrMisalignedTraps() {
    long object = device.object(square());
    String load =
        "suld.b.2d.b32.trap %a, [%object, {%r0, %r1}];"
            + " mov.u32 %b, 0; mov.u32 %c, 0; mov.u32 %d, 0;";
    assertEquals(
        PtxTrap.Kind.ILLEGAL_ADDRESS,
        assertThrows(PtxTrap.class, () -> run(load, object, 16, 0)).kind());
    assertEquals(
        PtxTrap.Kind.MISALIGNED_ADDRESS,
        assertThrows(PtxTrap.class, () -> run(load, object, 2, 0)).kind());
  }

  @Test
  void whatIsNotSupportedIsRefused() {
    for (String instruction :
        List.of(
            "tex.cube.v4.f32.f32 {%x, %y, %z, %w}, [%object, {%f0, %f1, %f2, %f2}];",
            "tex.2d.v4.f32.f32 {%x, %y, %z, %w}, [%object, {%f0}];",
            "sust.p.2d.b32.trap [%object, {%r0, %r1}], %r2;")) {
      String message = assertThrows(PtxException.class, () -> run(instruction, 0, 0)).getMessage();
      assertTrue(message.contains(" needs " + instruction.substring(0, 5)), message);
    }
  }
}
