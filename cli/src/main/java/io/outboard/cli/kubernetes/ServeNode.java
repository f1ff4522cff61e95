// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.WatchLoop;
import io.outboard.communicator.posix.Processes;
import io.outboard.kubernetes.plugin.DevicePlugin;
import io.outboard.kubernetes.pod.PodPatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code outboard kubernetes plugin}. */
@Command(
    name = "plugin",
    mixinStandardHelpOptions = true,
    description = {
      "Offers the kubelet of this node the GPUs of a pool, as outboard.io/gpu.",
      "For 'serve --by-nodes'; it needs a token of the role reader at least."
    })
final class ServeNode implements Callable<Integer> {
  private static final String SOCKET = "/run/outboard/outboard.sock";

  @ParentCommand private KubernetesCommand parent;

  @Option(
      names = "--plugins",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/device-plugins",
      description = "Where the kubelet has the sockets of plug-ins. Default: ${DEFAULT-VALUE}")
  private Path plugins;

  @Option(
      names = "--socket",
      paramLabel = "FILE",
      defaultValue = SOCKET,
      description = {
        "The Unix socket of this node that leads to the pool; containers have it at the usual",
        "place. Default: ${DEFAULT-VALUE}"
      })
  private Path socket;

  @Option(
      names = "--client",
      paramLabel = "FOLDER",
      defaultValue = "/opt/outboard",
      description = "The client on this node. Default: ${DEFAULT-VALUE}")
  private Path client;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Quantities.Time.class,
      description = "How often pool and kubelet are looked at. Default: ${DEFAULT-VALUE}")
  private Duration interval;

  @Override
  public Integer call() throws Failure {
    Processes.hide();
    LogFormat.usual(System.getenv()).use();
    Map<Path, String> mounts = new LinkedHashMap<>();
    mounts.put(client.toAbsolutePath(), PodPatch.HOME);
    mounts.put(socket.toAbsolutePath(), SOCKET);
    Map<String, String> variables = new LinkedHashMap<>(PodPatch.LOADING);
    variables.put("OUTBOARD", "unix:" + SOCKET);
    try (DevicePlugin plugin = new DevicePlugin(plugins, parent.office(), mounts, variables)) {
      WatchLoop.ready();
      goOn(plugin);
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private void goOn(DevicePlugin plugin) throws InterruptedException {
    WatchLoop loop = new WatchLoop("the kubelet is not told of GPUs");
    while (true) {
      loop.look(
          () -> {
            if (plugin.look()) {
              Log.info("the kubelet counts the pool's GPUs");
            }
          });
      Thread.sleep(interval);
    }
  }
}
