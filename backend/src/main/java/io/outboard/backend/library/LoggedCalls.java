// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.wire.Call;
import io.outboard.wire.CallLog;
import io.outboard.wire.CallNames;
import io.outboard.wire.CallText;
import io.outboard.wire.Dispatcher;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The log of a library's calls as its driver is called, for a client that asked for it; the client
 * writes its own, and both are to be equal. A call that does not reach the driver has no line.
 */
public final class LoggedCalls implements CallLog {
  private final List<String> structures;
  private final Consumer<byte[]> lines;
  private final ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);

  /** The call that a thread makes. */
  private static final class Current implements CallNames {
    private LoggedCall call;
    private CallText text;

    @Override
    public long handleOf(int kind, long value) {
      return call.handles().known(kind, value);
    }

    @Override
    public boolean isOwn(long value) {
      return value == call.own();
    }
  }

  private LoggedCalls(List<String> structures, Consumer<byte[]> lines) {
    this.structures = structures;
    this.lines = lines;
  }

  /**
   * Makes a dispatcher for a session's driver, whose calls are logged where the client wants that.
   *
   * @param structures what the library's signatures refer to
   * @param logged makes the decorator that tells of each call
   */
  public static <D> Dispatcher dispatcher(
      SessionContext context,
      D driver,
      Function<D, Dispatcher> dispatcher,
      List<String> structures,
      BiFunction<D, CallLog, D> logged) {
    if (!context.logs()) {
      return dispatcher.apply(driver);
    }
    LoggedCalls log = new LoggedCalls(structures, context::log);
    return log.around(dispatcher.apply(logged.apply(driver, log)));
  }

  @Override
  public void called(String signature, long... values) {
    Current now = current.get();
    now.text = new CallText(structures, now, signature, values);
  }

  @Override
  public int returned(int result) {
    current.get().text.returned(result);
    return result;
  }

  /** Completes the lines of what a dispatcher has the driver do. */
  private Dispatcher around(Dispatcher dispatcher) {
    return new DispatcherForwarding(dispatcher) {
      @Override
      public int dispatch(int number, Call call) {
        Current now = current.get();
        now.call = (LoggedCall) call;
        now.text = null;
        int result = dispatcher.dispatch(number, call);
        if (now.text != null) {
          lines.accept(line(now.call, now.text.line()));
        }
        return result;
      }
    };
  }

  private static byte[] line(LoggedCall call, String text) {
    return (call.sequence() + " " + call.thread() + " " + text + "\n").getBytes(UTF_8);
  }
}
