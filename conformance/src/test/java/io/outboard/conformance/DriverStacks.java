// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The debugger of a backend's workers: each connects when it starts. It keeps the stack with which
 * each method of a driver was entered last. It sets breakpoints: a request for all entries would
 * have the virtual machine interpret everything.
 */
final class DriverStacks implements AutoCloseable {
  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final List<String> drivers;
  private final Set<String> methods;
  private final Map<String, List<String>> stacks = new ConcurrentHashMap<>();

  /** Waits for workers; {@code drivers} are patterns of names of classes. */
  DriverStacks(List<String> drivers, Set<String> methods)
      throws IOException, IllegalConnectorArgumentsException {
    this.drivers = drivers;
    this.methods = methods;
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
          handle(event);
        }
        events.resume();
      }
    } catch (VMDisconnectedException | InterruptedException | IncompatibleThreadStateException _) {
      // The worker has ended.
    }
  }

  private static void request(VirtualMachine worker, String driver) {
    ClassPrepareRequest request = worker.eventRequestManager().createClassPrepareRequest();
    request.addClassFilter(driver);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.enable();
  }

  private void handle(Event event) throws IncompatibleThreadStateException {
    switch (event) {
      case ClassPrepareEvent prepared ->
          prepared.referenceType().methods().stream()
              .filter(method -> methods.contains(method.name()))
              .forEach(DriverStacks::stopAt);
      case BreakpointEvent entry -> keep(entry.location().method().name(), stack(entry));
      default -> {}
    }
  }

  /** A spare worker makes calls of its own while the program runs. */
  private void keep(String method, List<String> stack) {
    if (stack.stream().noneMatch(name -> name.endsWith(".WarmUp"))) {
      stacks.put(method, stack);
    }
  }

  private static void stopAt(Method method) {
    if (method.location() != null) {
      BreakpointRequest request =
          method.virtualMachine().eventRequestManager().createBreakpointRequest(method.location());
      request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      request.enable();
    }
  }

  /** Innermost first. */
  private static List<String> stack(BreakpointEvent entry) throws IncompatibleThreadStateException {
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
