// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.office.rest.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineSeedTest {
  @TempDir private Path folder;

  @Test
  void theMachineIsToldOfItsLeaseAndItsService() throws Exception {
    Path client = Files.writeString(folder.resolve("outboard-client.deb"), "client");
    Path service = Files.writeString(folder.resolve("app.jar"), "service");
    MachineSeed seed =
        new MachineSeed(
            "tcp://10.0.2.2:14900",
            "outboard_1_2",
            new MachineSoftware.Program(client.toString(), service.toString()),
            8080);
    Path disk = folder.resolve("seed");
    seed.write(disk, "0569a42e7909");
    assertEquals("client", Files.readString(disk.resolve("client.deb")));
    assertEquals("service", Files.readString(disk.resolve("service.jar")));
    String text = Files.readString(disk.resolve("user-data"));
    assertTrue(text.startsWith("#cloud-config\n"), text);
    Fields told = Fields.read(text.substring(text.indexOf('\n')));
    Fields environment = told.objects("write_files").getFirst();
    assertEquals("0600", environment.text("permissions"));
    assertTrue(environment.text("content").contains("OUTBOARD_TOKEN=outboard_1_2\n"));
    assertTrue(environment.text("content").contains("OUTBOARD_SERVICE_PORT=8080\n"));
    Fields name = Fields.read(Files.readString(disk.resolve("meta-data")));
    assertEquals("0569a42e7909", name.text("instance-id"));
  }

  @Test
  void aMachineOfACloudFetchesBoth() {
    String text =
        new MachineSeed(
                "tls://x",
                "outboard_1_2",
                new MachineSoftware.Program("https://x/c.deb", "https://x/s.jar"),
                80)
            .ofCloud();
    assertTrue(text.contains("\"client.deb=https://x/c.deb\""), text);
    assertTrue(text.contains("\"service.jar=https://x/s.jar\""), text);
    assertTrue(text.contains("urlretrieve"), text);
  }

  @Test
  void aMachineOfMethodsHasTheServerAndWhoseCodeRuns() throws Exception {
    Path server = Files.writeString(folder.resolve("outboard-server.tar.gz"), "server");
    MachineSoftware methods = new MachineSoftware.Methods(server.toString(), "jars jars");
    Path disk = folder.resolve("seed");
    new MachineSeed("tcp://10.0.2.2:14900", "outboard_1_2", methods, 8080).write(disk, "0569");
    assertEquals("server", Files.readString(disk.resolve("server.tgz")));
    String text = Files.readString(disk.resolve("user-data"));
    Fields told = Fields.read(text.substring(text.indexOf('\n')));
    Fields settings = told.objects("write_files").get(1);
    assertEquals("/var/lib/outboard-service/offload.conf", settings.text("path"));
    // The machine's own GPU is a software one, and the next is the lease's.
    assertEquals("jars jars\ngpu 1\n", settings.text("content"));
    assertTrue(text.contains("serve --device software"), text);
  }

  @Test
  void anImageIsADiskOrAFolder() throws Exception {
    Path disk = Files.createFile(folder.resolve("debian.qcow2"));
    assertEquals("qcow2", MachineImage.of(disk).format());
    assertTrue(MachineImage.of(disk).kernel().isEmpty());
    assertThrows(IOException.class, () -> MachineImage.of(folder));
    for (String name : new String[] {"disk.raw", "vmlinuz", "initrd"}) {
      Files.createFile(folder.resolve(name));
    }
    assertEquals("raw", MachineImage.of(folder).format());
    assertTrue(MachineImage.of(folder).kernel().contains("-initrd"));
  }
}
