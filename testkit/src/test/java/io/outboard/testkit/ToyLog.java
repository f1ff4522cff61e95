// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Call;
import io.outboard.wire.CallLog;
import io.outboard.wire.CallNames;
import io.outboard.wire.CallText;
import io.outboard.wire.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The log of a session's calls, as the driver is called and as the program in C has made them. */
final class ToyLog implements CallLog, CallNames, Dispatcher {
  private final Dispatcher dispatcher;
  private final List<String> drivers = new ArrayList<>();
  private final List<String> programs = new ArrayList<>();
  private Call call;
  private CallText text;
  private String line;

  /** Logs what a driver is asked for; {@code between} stands before it. */
  ToyLog(Toy driver, UnaryOperator<Toy> between) {
    dispatcher = new ToyDispatcher(between.apply(new ToyLogged(driver, this)));
  }

  @Override
  public void called(String signature, long... values) {
    text = new CallText(ToyLogged.STRUCTURES, this, signature, values);
  }

  @Override
  public int returned(int result) {
    text.returned(result);
    return result;
  }

  /** Takes the program's line of the call that has just returned. */
  void program(String programsLine) {
    if (line != null) {
      drivers.add(line);
      programs.add(programsLine);
    }
  }

  /** The last line. */
  String last() {
    return drivers.getLast();
  }

  /** Begins anew. */
  void forget() {
    drivers.clear();
    programs.clear();
  }

  /** Both logs are equal. Calls that never reached the driver are not in them. */
  void check() {
    assertEquals(String.join("\n", drivers), String.join("\n", programs));
  }

  @Override
  public int dispatch(int number, Call its) {
    call = its;
    text = null;
    int result = dispatcher.dispatch(number, its);
    line = text == null ? null : text.line();
    return result;
  }

  @Override
  public long handleOf(int kind, long value) {
    return call.handles().known(kind, value);
  }

  /** A loopback call's thread has the special stream itself. */
  @Override
  public boolean isOwn(long value) {
    return value == 2;
  }

  @Override
  public int answering(int number) {
    return dispatcher.answering(number);
  }

  @Override
  public int level() {
    return dispatcher.level();
  }

  @Override
  public int notSupported() {
    return dispatcher.notSupported();
  }

  @Override
  public int outOfMemory() {
    return dispatcher.outOfMemory();
  }
}
