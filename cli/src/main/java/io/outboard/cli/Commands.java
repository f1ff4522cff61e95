// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.cli.account.NodeCommand;
import io.outboard.cli.account.TenantCommand;
import io.outboard.cli.account.TokenCommand;
import io.outboard.cli.account.Usage;
import io.outboard.cli.command.Tools;
import io.outboard.cli.container.Cdi;
import io.outboard.cli.container.ContainerCommands;
import io.outboard.cli.container.LxcDevice;
import io.outboard.cli.device.Devices;
import io.outboard.cli.doctor.Doctor;
import io.outboard.cli.identity.IdentityCommand;
import io.outboard.cli.identity.LoginCommand;
import io.outboard.cli.identity.LogoutCommand;
import io.outboard.cli.kubernetes.KubernetesCommand;
import io.outboard.cli.lease.Handover;
import io.outboard.cli.lease.LeaseCommand;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.offload.OffloadCommand;
import io.outboard.cli.openstack.OpenstackCommand;
import io.outboard.cli.plugin.PlugInsCommand;
import io.outboard.cli.serve.BrokerCommand;
import io.outboard.cli.serve.CertCommand;
import io.outboard.cli.serve.GuestCommand;
import io.outboard.cli.serve.Serve;
import io.outboard.cli.site.SitesCommand;
import io.outboard.cli.trace.ReportCommand;
import io.outboard.cli.watch.Nodes;
import io.outboard.cli.watch.Top;
import java.util.List;
import java.util.Set;

/**
 * The commands that are offered here. Their names stand here too: to read all descriptions for the
 * one that is meant takes longer than most commands.
 */
final class Commands {
  /** Those that build. */
  private static final Set<Class<?>> OF_THE_SOURCES =
      Set.of(LauncherCommands.Demo.class, LauncherCommands.Test.class, LauncherCommands.Dist.class);

  private static final List<Named> ALL =
      List.of(
          new Named("demo", LauncherCommands.Demo.class),
          new Named("run", LauncherCommands.Run.class),
          new Named("docker", ContainerCommands.Docker.class),
          new Named("podman", ContainerCommands.Podman.class),
          new Named("apptainer", ContainerCommands.Apptainer.class),
          new Named("lxc-execute", ContainerCommands.LxcExecute.class),
          new Named("lxc-attach", ContainerCommands.LxcAttach.class),
          new Named("lxc-device", LxcDevice.class),
          new Named("cdi", Cdi.class),
          new Named("serve", Serve.class),
          new Named("broker", BrokerCommand.class),
          new Named("node", NodeCommand.class),
          new Named("devices", Devices.class),
          new Named("sites", SitesCommand.class),
          new Named("plugins", PlugInsCommand.class),
          new Named("report", ReportCommand.class),
          new Named("lease", LeaseCommand.class),
          new Named("leases", LeaseCommands.Leases.class),
          new Named("release", LeaseCommands.Release.class),
          new Named("renew", LeaseCommands.Renew.class),
          new Named("drain", LeaseCommands.Drain.class),
          new Named("suspend", LeaseCommands.Suspend.class),
          new Named("resume", LeaseCommands.Resume.class),
          new Named("revoke", LeaseCommands.Revoke.class),
          new Named("handover", Handover.class),
          new Named("usage", Usage.class),
          new Named("cert", CertCommand.class),
          new Named("guest", GuestCommand.class),
          new Named("offload", OffloadCommand.class),
          new Named("openstack", OpenstackCommand.class),
          new Named("kubernetes", KubernetesCommand.class),
          new Named("top", Top.class),
          new Named("nodes", Nodes.class),
          new Named("tenant", TenantCommand.class),
          new Named("token", TokenCommand.class),
          new Named("identity", IdentityCommand.class),
          new Named("login", LoginCommand.class),
          new Named("logout", LogoutCommand.class),
          new Named("doctor", Doctor.class),
          new Named("env", LauncherCommands.Env.class),
          new Named("test", LauncherCommands.Test.class),
          new Named("bench", LauncherCommands.Bench.class),
          new Named("dist", LauncherCommands.Dist.class),
          new Named("completion", Completion.class),
          new Named(HelpCommand.NAME, HelpCommand.class),
          new Named("version", VersionCommand.class));

  private record Named(String name, Class<?> command) {
    boolean isHere() {
      return !Tools.isInstalled() || !OF_THE_SOURCES.contains(command);
    }
  }

  private Commands() {}

  /** All of them, in the order of the help. */
  static List<Class<?>> all() {
    return ALL.stream().filter(Named::isHere).<Class<?>>map(Named::command).toList();
  }

  /**
   * Those that the arguments may mean: the one that they begin with, else all, which the help
   * names.
   */
  static List<Class<?>> meant(String... arguments) {
    String first =
        arguments.length == 0 || arguments[0].equals(HelpCommand.NAME) ? "" : arguments[0];
    List<Class<?>> named =
        ALL.stream()
            .filter(one -> one.name().equals(first) && one.isHere())
            .<Class<?>>map(Named::command)
            .toList();
    return named.isEmpty() ? all() : named;
  }
}
