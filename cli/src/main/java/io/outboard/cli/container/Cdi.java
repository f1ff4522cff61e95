// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.cli.lease.Leasing;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.lease.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code outboard cdi}. Source: Container Device Interface, specification 0.5.0, which older
 * engines read too.
 */
@Command(
    name = "cdi",
    description = {
      "Prints a lease as a device of containers (CDI), for a file that container engines read.",
      "With it in /etc/cdi, an engine takes --device outboard.io/gpu=lease:ID: client, socket and",
      "variables are in the container. It has the lease's token: nobody else is to read the file."
    })
public final class Cdi extends LeaseCommands.Asking {
  private static final String VERSION = "0.5.0";
  private static final String KIND = "outboard.io/gpu";

  @Parameters(paramLabel = "LEASE", description = "The id of the lease.")
  private String id;

  @Option(
      names = "--host-network",
      description = "Its containers have this machine's network, and reach a backend at localhost.")
  private boolean hasHostsNetwork;

  @Override
  protected Answer answer() throws Failure {
    LeaseRow lease = new LeaseRow(backend().ask("find", new Form().with("id", id)).getFirst());
    if (!lease.isGranted() || lease.handsOver()) {
      throw new Failure("lease %s is %s, and no program can use it".formatted(id, lease.state()));
    }
    String place = new Leasing(backend(), spec()).place(lease);
    Reach reach = Reach.of(Endpoint.parse(place), backend().environment(), hasHostsNetwork);
    Map<String, Object> all = device(reach, lease);
    return Answer.of(all, List.of(Json.write(all)));
  }

  private static Map<String, Object> device(Reach reach, LeaseRow lease) {
    Map<String, Object> edits =
        Ordered.of("env", variables(reach, lease.token()), "mounts", mounts(reach));
    Map<String, Object> device = Ordered.of("name", "lease:" + lease.id(), "containerEdits", edits);
    return Ordered.of("cdiVersion", VERSION, "kind", KIND, "devices", List.of(device));
  }

  private static List<String> variables(Reach reach, String token) {
    List<String> variables = new ArrayList<>();
    reach.variables().forEach((name, value) -> variables.add(name + "=" + value));
    variables.add(TokenFile.VARIABLE + "=" + token);
    variables.addAll(Reach.LOADING);
    return variables;
  }

  private static List<Map<String, Object>> mounts(Reach reach) {
    return reach.mounts().entrySet().stream()
        .map(
            mount ->
                Ordered.of(
                    "hostPath",
                    mount.getKey().toString(),
                    "containerPath",
                    mount.getValue(),
                    "options",
                    List.of("bind", "ro")))
        .toList();
  }
}
