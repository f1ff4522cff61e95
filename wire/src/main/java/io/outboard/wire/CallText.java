// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.util.List;

/**
 * One call as the logs of both sides have it; {@code frontend/runtime/observe/call_text.c} is the
 * same in C.
 *
 * <pre>
 *   cuMemcpyHtoD_v2(dstDevice=0x7f0000000000, srcHost=4096#1c2d3e4f, ByteCount=4096) = 0
 *   cuStreamCreate(phStream=*, Flags=0) = 0 phStream=stream#1.0
 * </pre>
 *
 * <p>Values that the call reads stand in the brackets, values that it writes behind the result.
 * Bytes are their number and a hash (FNV-1a), and so are more than a few scalars and long texts;
 * handles are the session's.
 *
 * <p>The function's <em>signature</em> says what is what, in a text without blanks:
 *
 * <pre>
 *   function  NAME ( parameter , … ) | RESULT …    results, beside 0, with which outputs are written
 *   parameter NAME : [mark] type [ [count] ]       &lt; read  &gt; written  = both  + made  @ by value
 *                                                  ! a function of the program  _ its user data
 *   type      b s i l f d                          scalars of 1, 2, 4, 8, 4, 8 bytes
 *             a                                    an address in device memory
 *             h ID NAME [%VALUE] | … .             a handle; VALUE: the thread's own object
 *             S NUMBER .                           a structure
 *             B T                                  bytes, a text
 *   count     operands before their operators (+ - *), each followed by a blank: a number,
 *             $N the N-th parameter, &amp;Ni or &amp;Nl the 4 or 8 bytes to which that points
 *   structure [z] BYTES { member , … }             z: the first member says how large it is
 *   member    NAME @ OFFSET : type [~TIMES]
 *             NAME @ OFFSET : &lt; type [OFFSET i|l]  an array elsewhere; where its length is
 *             NAME @ OFFSET : ? OFFSET (BYTES { TAG, … S NUMBER . } … )    a union; where its tag is
 * </pre>
 */
public final class CallText {
  private static final int FEW = 16;
  private static final String MARKS = "<>=+@!_";

  private final CallValues out;
  private final String signature;
  private final long[] values;
  private final long[] counts;

  /**
   * Takes what a call reads, before it is made.
   *
   * @param structures what the signature refers to
   */
  public CallText(List<String> structures, CallNames names, String signature, long... values) {
    this.out = new CallValues(structures, names);
    this.signature = signature;
    this.values = values;
    this.counts = new long[values.length];
    parameters(true);
    out.add(")");
  }

  /** Adds the result and, where there are any, what the call has written, when it has returned. */
  public void returned(int result) {
    out.add(" = " + result);
    String results = signature.substring(signature.lastIndexOf(')') + 1) + "|";
    if (result == 0 || results.contains("|" + result + "|")) {
      out.awaitHandles();
      parameters(false);
    }
  }

  /** The whole, once the handles that the call has made are known. */
  public String line() {
    return out.line();
  }

  private void parameters(boolean before) {
    Signature at = new Signature(signature);
    String name = at.until('(');
    out.add(before ? name + "(" : "");
    for (int i = 0; !at.takes(')'); i++) {
      String separator = i > 0 && at.takes(',') ? ", " : "";
      parameter(at, i, before ? separator : null);
    }
  }

  /** With a separator: a value that is read; without: one that has been written. */
  private void parameter(Signature at, int i, String separator) {
    String name = at.until(':');
    char mark = at.mark(MARKS);
    if (mark == '_') {
      return;
    }
    Signature.Type type = mark == '!' ? null : at.type();
    boolean counted = at.takes('[');
    if (separator != null) {
      counts[i] = counted ? count(at) : CallValues.SINGLE;
      out.add(separator + name + "=");
      argument(mark, type, i);
    } else if (mark != 0 && ">=+".indexOf(mark) >= 0 && values[i] != 0) {
      out.add(" " + name + "=");
      out.elements(type, values[i], counts[i]);
    }
    if (counted) {
      at.until(']');
    }
  }

  private void argument(char mark, Signature.Type type, int i) {
    switch (mark) {
      case '<', '=' -> out.elements(type, values[i], counts[i]);
      case '>', '+' -> out.add(values[i] == 0 ? "null" : "*");
      case '@' -> out.element(type, values[i]);
      case '!' -> out.add(values[i] == 0 ? "null" : "function");
      default -> out.value(type, values[i]);
    }
  }

  private long count(Signature at) {
    long[] stack = new long[FEW];
    int top = 0;
    while (!at.sees(']')) {
      char operator = at.mark("+-*");
      if (operator == 0) {
        stack[top++] = operand(at);
      } else {
        top--;
        stack[top - 1] = apply(operator, stack[top - 1], stack[top]);
      }
      at.takes(' ');
    }
    return Math.max(0, stack[0]);
  }

  private static long apply(char operator, long left, long right) {
    return switch (operator) {
      case '+' -> left + right;
      case '-' -> left - right;
      default -> left * right;
    };
  }

  private long operand(Signature at) {
    if (at.takes('$')) {
      return values[at.number()];
    }
    if (!at.takes('&')) {
      return at.number();
    }
    long address = values[at.number()];
    boolean narrow = at.mark("il") == 'i';
    return address == 0 ? 0 : CallValues.number(address, narrow);
  }
}
