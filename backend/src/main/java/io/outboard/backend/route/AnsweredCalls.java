// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.library.DispatcherForwarding;
import io.outboard.backend.library.SessionContext;
import io.outboard.wire.Call;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import java.util.List;

/**
 * Calls whose answer the client waits for. The driver of another host would only post some of them:
 * here it waits too, and so the client is told the result of the call itself.
 */
public final class AnsweredCalls extends DispatcherForwarding {
  private final List<RemoteHost> remotes;

  private AnsweredCalls(Dispatcher delegate, List<RemoteHost> remotes) {
    super(delegate);
    this.remotes = remotes;
  }

  /** Runs the calls of a session through a dispatcher. */
  public static Dispatcher of(SessionContext context, Dispatcher dispatcher) {
    List<RemoteHost> remotes = RemoteHost.of(context);
    return remotes.isEmpty() ? dispatcher : new AnsweredCalls(dispatcher, remotes);
  }

  @Override
  public int dispatch(int number, Call call) {
    boolean waits = (call.flags() & Frame.FLAG_ANSWER) != 0;
    remotes.forEach(host -> host.answering(waits));
    return delegate.dispatch(number, call);
  }
}
