// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The debugger of a backend's workers: each connects when it starts. It keeps the stack with which
 * each method of a driver was entered last.
 */
final class DriverStacks implements AutoCloseable {
  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final List<String> drivers;
  private final Map<String, List<String>> stacks = new ConcurrentHashMap<>();

  /** Waits for workers; {@code drivers} are patterns of names of classes. */
  DriverStacks(List<String> drivers) throws IOException, IllegalConnectorArgumentsException {
    this.drivers = drivers;
    connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(one -> one.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("port").setValue("0");
    address = connector.startListening(arguments);
    Thread.ofPlatform().daemon().name("workers").start(this::acceptAll);
  }

  /** The option with which a virtual machine connects, and waits until it is told to go on. */
  String option() {
    String port = address.substring(address.lastIndexOf(':') + 1);
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port;
  }

  private void acceptAll() {
    try {
      while (true) {
        VirtualMachine worker = connector.accept(arguments);
        Thread.ofPlatform().daemon().name("worker").start(() -> watch(worker));
      }
    } catch (IOException | IllegalConnectorArgumentsException _) {
      // It listens no longer.
    }
  }

  private void watch(VirtualMachine worker) {
    try {
      drivers.forEach(driver -> request(worker, driver));
      while (true) {
        EventSet events = worker.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof MethodEntryEvent entry) {
            stacks.put(entry.method().name(), stack(entry));
          }
        }
        events.resume();
      }
    } catch (VMDisconnectedException | InterruptedException | IncompatibleThreadStateException _) {
      // The worker has ended.
    }
  }

  private static void request(VirtualMachine worker, String driver) {
    MethodEntryRequest request = worker.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(driver);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.enable();
  }

  /** Innermost first. */
  private static List<String> stack(MethodEntryEvent entry)
      throws IncompatibleThreadStateException {
    return entry.thread().frames().stream()
        .map(frame -> frame.location().declaringType().name())
        .toList();
  }

  /** The classes whose methods had been entered when a driver's was, outermost first. */
  List<String> of(String method) {
    return stacks.getOrDefault(method, List.of()).reversed();
  }

  /** Forgets what was seen. */
  void forget() {
    stacks.clear();
  }

  @Override
  public void close() throws IOException, IllegalConnectorArgumentsException {
    connector.stopListening(arguments);
  }
}
