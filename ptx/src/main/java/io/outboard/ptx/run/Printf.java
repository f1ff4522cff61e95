// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats as C's printf does; the arguments lie one after the other, each aligned to its size. */
final class Printf {
  private final BlockContext context;
  private final int thread;
  private long next;
  private int count;

  Printf(BlockContext context, int thread, long arguments) {
    this.context = context;
    this.thread = thread;
    this.next = arguments;
  }

  /** How many arguments were used. */
  int count() {
    return count;
  }

  private int int32() {
    next = next + 3 & -4;
    next += 4;
    count++;
    return GenericMemory.load32(context, thread, next - 4);
  }

  private long int64() {
    next = next + 7 & -8;
    next += 8;
    count++;
    return GenericMemory.load64(context, thread, next - 8);
  }

  String format(String format) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      if (percent < 0) {
        break;
      }
      out.append(format, at, percent);
      at = directive(format, percent + 1, out);
    }
    return out.append(format, at, format.length()).toString();
  }

  /** Formats the directive that starts at {@code at}; returns where it ends. */
  private int directive(String format, int at, StringBuilder out) {
    Directive directive = new Directive();
    int i = at;
    while (i < format.length() && "-+ #0".indexOf(format.charAt(i)) >= 0) {
      directive.flags += format.charAt(i++);
    }
    i = number(format, i);
    directive.width = lastNumber;
    directive.precision = -1;
    if (i < format.length() && format.charAt(i) == '.') {
      i = number(format, i + 1);
      directive.precision = lastNumber;
    }
    while (i < format.length() && "hlLqjzt".indexOf(format.charAt(i)) >= 0) {
      directive.wide |= "lqjzt".indexOf(format.charAt(i)) >= 0;
      i++;
    }
    if (i == format.length()) {
      return at;
    }
    out.append(convert(directive, format.charAt(i)));
    return i + 1;
  }

  private int lastNumber;

  private int number(String format, int at) {
    int i = at;
    if (i < format.length() && format.charAt(i) == '*') {
      lastNumber = int32();
      return i + 1;
    }
    lastNumber = 0;
    while (i < format.length() && Character.isDigit(format.charAt(i))) {
      lastNumber = Math.min(lastNumber * 10 + format.charAt(i++) - '0', 4096);
    }
    return i;
  }

  private String convert(Directive d, char kind) {
    return switch (kind) {
      case '%' -> "%";
      case 'd', 'i' -> d.integer(Long.toString(d.wide ? int64() : int32()));
      case 'u' -> d.integer(Long.toUnsignedString(unsigned(d)));
      case 'x' -> d.integer(d.prefix("0x") + Long.toHexString(unsigned(d)));
      case 'X' ->
          d.integer((d.prefix("0x") + Long.toHexString(unsigned(d))).toUpperCase(Locale.ROOT));
      case 'o' -> d.integer(d.prefix("0") + Long.toOctalString(unsigned(d)));
      case 'c' -> d.pad(Character.toString((char) (int32() & 0xff)), false);
      case 's' -> d.pad(d.cut(string(int64())), false);
      case 'p' -> d.pad(pointer(int64()), false);
      case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' -> d.real(Double.longBitsToDouble(int64()), kind);
      default -> "%" + kind;
    };
  }

  /** As the host's C library writes it, which formats on a real device. */
  private static String pointer(long address) {
    return address == 0 ? "(nil)" : "0x" + Long.toHexString(address);
  }

  private String string(long address) {
    return address == 0 ? "(null)" : SystemCalls.string(context, thread, address);
  }

  private long unsigned(Directive d) {
    return d.wide ? int64() : Integer.toUnsignedLong(int32());
  }

  /** The part between the percent sign and the letter. */
  private static final class Directive {
    private String flags = "";
    private int width;
    private int precision;
    private boolean wide;

    private boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }

    String prefix(String prefix) {
      return has('#') ? prefix : "";
    }

    String cut(String text) {
      return precision >= 0 && precision < text.length() ? text.substring(0, precision) : text;
    }

    String integer(String digits) {
      boolean negative = digits.startsWith("-");
      String bare = negative ? digits.substring(1) : digits;
      String full = "0".repeat(Math.max(precision - bare.length(), 0)) + bare;
      return pad(sign(negative) + full, precision < 0);
    }

    private String sign(boolean negative) {
      return negative ? "-" : has('+') ? "+" : has(' ') ? " " : "";
    }

    String pad(String text, boolean zeros) {
      int missing = Math.max(Math.abs(width) - text.length(), 0);
      if (has('-') || width < 0) {
        return text + " ".repeat(missing);
      }
      if (!zeros || !has('0')) {
        return " ".repeat(missing) + text;
      }
      int digits = 0;
      while (digits < text.length() && "+- ".indexOf(text.charAt(digits)) >= 0) {
        digits++;
      }
      return text.substring(0, digits) + "0".repeat(missing) + text.substring(digits);
    }

    String real(double value, char kind) {
      boolean negative = value < 0 || (value == 0 && 1 / value < 0);
      String magnitude = magnitude(Math.abs(value), Character.toLowerCase(kind));
      String text = sign(negative) + magnitude;
      boolean finite = Double.isFinite(value);
      return pad(Character.isUpperCase(kind) ? text.toUpperCase(Locale.ROOT) : text, finite);
    }

    private String magnitude(double value, char kind) {
      if (Double.isNaN(value)) {
        return "nan";
      }
      if (Double.isInfinite(value)) {
        return "inf";
      }
      int digits = precision < 0 ? 6 : precision;
      return switch (kind) {
        case 'f' -> new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
        case 'e' -> exponential(value, digits);
        case 'g' -> shortest(value, Math.max(digits, 1));
        default -> Double.toHexString(value);
      };
    }

    private static BigDecimal rounded(double value, int digits) {
      return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    private static int exponent(BigDecimal number) {
      return number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
    }

    private static String exponential(double value, int digits) {
      BigDecimal number = rounded(value, digits + 1);
      int exponent = exponent(number);
      String mantissa =
          number
              .scaleByPowerOfTen(-exponent)
              .setScale(digits, RoundingMode.UNNECESSARY)
              .toPlainString();
      int size = Math.abs(exponent);
      return mantissa + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
    }

    private String shortest(double value, int digits) {
      BigDecimal number = rounded(value, digits);
      int exponent = exponent(number);
      if (exponent < -4 || exponent >= digits) {
        String text = exponential(value, digits - 1);
        int e = text.indexOf('e');
        return trimmed(text.substring(0, e)) + text.substring(e);
      }
      int scale = digits - 1 - exponent;
      return trimmed(number.setScale(scale, RoundingMode.HALF_EVEN).toPlainString());
    }

    private String trimmed(String text) {
      if (has('#') || text.indexOf('.') < 0) {
        return text;
      }
      int end = text.length();
      while (text.charAt(end - 1) == '0') {
        end--;
      }
      return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }
  }
}
