// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random straight-line kernels: compiled code against an interpreter that shares nothing with it
 * and works with big numbers instead of tricks. Predicates and barriers are strewn in.
 */
class RandomKernelTest {
  private static final int REGISTERS = 8;
  private static final int THREADS = 3;
  private static final int LENGTH = 150;
  private static final String[] OPERATIONS = {
    "add.u32",
    "sub.u32",
    "mul.lo.u32",
    "mul.hi.u32",
    "mul.hi.s32",
    "div.u32",
    "rem.u32",
    "min.s32",
    "max.u32",
    "and.b32",
    "or.b32",
    "xor.b32",
    "shl.b32",
    "shr.u32",
    "shr.s32",
    "add.f32",
    "mul.f32",
    "sub.f32",
    "add.rz.f32",
    "mul.rp.f32",
    "min.f32",
    "popc.b32",
    "clz.b32",
    "brev.b32",
    "cvt.rzi.u32.f32",
    "cvt.rn.f32.s32"
  };

  private record Step(
      String operation, int target, int a, int b, boolean guarded, boolean barrier) {
    boolean unary() {
      return operation.matches("(popc|clz|brev|cvt).*");
    }

    /** Whether the result is a float that may be NaN, whose payload the JVM leaves open. */
    boolean real() {
      return operation.endsWith("f32") && !operation.startsWith("cvt");
    }

    String text() {
      String register = " %r" + target;
      String compare = "setp.lt.s32 %p1, %r" + b + ", %r" + a + ";\n";
      String second = unary() ? "" : ", %r" + b;
      String work = (guarded ? "@%p1 " : "") + operation + register + ", %r" + a + second + ";\n";
      String settle =
          "setp.nan.f32 %p2,"
              + register
              + ","
              + register
              + ";\n@%p2 mov.b32"
              + register
              + ", -1;\n";
      return (barrier ? "bar.sync 0;\n" : "") + compare + work + (real() ? settle : "");
    }
  }

  @Test
  void interpreterAndCompiledCodeAgree() throws PtxTrap {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Step[] steps = new Step[LENGTH];
      for (int i = 0; i < LENGTH; i++) {
        steps[i] = step(random);
      }
      int[] start = random.ints(REGISTERS * THREADS).toArray();
      int[] found = run(steps, start);
      for (int t = 0; t < THREADS; t++) {
        compare(seed, steps, start, found, t);
      }
    }
  }

  private static Step step(Random random) {
    return new Step(
        OPERATIONS[random.nextInt(OPERATIONS.length)],
        random.nextInt(REGISTERS),
        random.nextInt(REGISTERS),
        random.nextInt(REGISTERS),
        random.nextInt(4) == 0,
        random.nextInt(20) == 0);
  }

  private static int[] run(Step[] steps, int[] start) throws PtxTrap {
    StringBuilder body = new StringBuilder("mad.wide.u32 %my, %t, 32, %out;\n");
    for (int r = 0; r < REGISTERS; r++) {
      body.append("ld.global.u32 %r" + r + ", [%my+" + 4 * r + "];\n");
    }
    for (Step step : steps) {
      body.append(step.text());
    }
    for (int r = 0; r < REGISTERS; r++) {
      body.append("st.global.u32 [%my+" + 4 * r + "], %r" + r + ";\n");
    }
    try (Device device = new Device(1 << 16)) {
      long out = device.ints(start);
      PtxKernel kernel = device.load(Source.kernel(body.toString())).kernels().get("test");
      device.launch(kernel, Dim3.of(1), Dim3.of(THREADS), 0, out);
      return device.ints(out, start.length);
    }
  }

  private static void compare(int seed, Step[] steps, int[] start, int[] found, int thread) {
    int[] registers = new int[REGISTERS];
    System.arraycopy(start, thread * REGISTERS, registers, 0, REGISTERS);
    for (Step step : steps) {
      boolean condition = registers[step.b] < registers[step.a];
      if (!step.guarded || condition) {
        registers[step.target] = interpret(step.operation, registers[step.a], registers[step.b]);
      }
      if (step.real() && Float.isNaN(Float.intBitsToFloat(registers[step.target]))) {
        registers[step.target] = -1;
      }
    }
    for (int r = 0; r < REGISTERS; r++) {
      int index = r;
      assertEquals(
          Integer.toHexString(registers[r]),
          Integer.toHexString(found[thread * REGISTERS + r]),
          () -> "seed " + seed + ", thread " + thread + ", register " + index);
    }
  }

  private static BigInteger unsigned(int a) {
    return new BigInteger(Integer.toUnsignedString(a));
  }

  private static int interpret(String operation, int a, int b) {
    if (operation.endsWith("f32") && !operation.startsWith("cvt")) {
      return real(operation, Float.intBitsToFloat(a), Float.intBitsToFloat(b));
    }
    BigInteger x = unsigned(a);
    BigInteger y = unsigned(b);
    return switch (operation) {
      case "add.u32" -> x.add(y).intValue();
      case "sub.u32" -> x.subtract(y).intValue();
      case "mul.lo.u32" -> x.multiply(y).intValue();
      case "mul.hi.u32" -> x.multiply(y).shiftRight(32).intValue();
      case "mul.hi.s32" ->
          BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).shiftRight(32).intValue();
      case "div.u32" -> b == 0 ? -1 : x.divide(y).intValue();
      case "rem.u32" -> b == 0 ? a : x.mod(y).intValue();
      case "min.s32" -> a < b ? a : b;
      case "max.u32" -> x.max(y).intValue();
      case "and.b32" -> x.and(y).intValue();
      case "or.b32" -> x.or(y).intValue();
      case "xor.b32" -> x.xor(y).intValue();
      case "shl.b32" -> x.shiftLeft(y.min(BigInteger.valueOf(32)).intValue()).intValue();
      case "shr.u32" -> x.shiftRight(y.min(BigInteger.valueOf(32)).intValue()).intValue();
      case "shr.s32" ->
          BigInteger.valueOf(a).shiftRight(y.min(BigInteger.valueOf(32)).intValue()).intValue();
      default -> unary(operation, a);
    };
  }

  private static int unary(String operation, int a) {
    return switch (operation) {
      case "popc.b32" -> unsigned(a).bitCount();
      case "clz.b32" -> 32 - unsigned(a).bitLength();
      case "brev.b32" -> reversed(a);
      case "cvt.rn.f32.s32" -> Float.floatToRawIntBits(new BigDecimal(a).floatValue());
      case "cvt.rzi.u32.f32" -> whole(Float.intBitsToFloat(a));
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static int reversed(int a) {
    StringBuilder bits = new StringBuilder(Integer.toBinaryString(a));
    bits.insert(0, "0".repeat(32 - bits.length()));
    return Integer.parseUnsignedInt(bits.reverse().toString(), 2);
  }

  private static int whole(float a) {
    if (Float.isNaN(a) || a <= 0) {
      return 0;
    }
    return a >= 0x1p32f ? -1 : new BigDecimal(a).toBigInteger().intValue();
  }

  private static int real(String operation, float a, float b) {
    boolean special = !Float.isFinite(a) || !Float.isFinite(b);
    float result =
        switch (operation) {
          case "add.f32" -> a + b;
          case "sub.f32" -> a - b;
          case "mul.f32" -> a * b;
          case "add.rz.f32" ->
              special || a == 0 || b == 0
                  ? a + b
                  : towardZero(new BigDecimal(a).add(new BigDecimal(b)));
          case "mul.rp.f32" ->
              special || a == 0 || b == 0
                  ? a * b
                  : upward(new BigDecimal(a).multiply(new BigDecimal(b)));
          default -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
        };
    return Float.floatToRawIntBits(result);
  }

  private static float towardZero(BigDecimal exact) {
    float nearest = exact.floatValue();
    if (Float.isInfinite(nearest)) {
      return Math.copySign(Float.MAX_VALUE, nearest);
    }
    boolean beyond = new BigDecimal(nearest).abs().compareTo(exact.abs()) > 0;
    return !beyond ? nearest : nearest > 0 ? Math.nextDown(nearest) : Math.nextUp(nearest);
  }

  private static float upward(BigDecimal exact) {
    float nearest = exact.floatValue();
    if (nearest == Float.NEGATIVE_INFINITY) {
      return -Float.MAX_VALUE;
    }
    boolean below = Float.isFinite(nearest) && new BigDecimal(nearest).compareTo(exact) < 0;
    float result = below ? Math.nextUp(nearest) : nearest;
    return result == 0 && exact.signum() < 0 ? -0f : result;
  }
}
