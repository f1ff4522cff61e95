// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class GuestCommandTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z][^|]*|bhyve) \\|");
  private static final Pattern LISTEN = Pattern.compile("(?m)^outboard serve --listen (\\S+)$");

  private static String run(int status, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new GuestCommand());
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    assertEquals(status, command.execute(arguments), out::toString);
    return out.toString();
  }

  @ParameterizedTest
  @EnumSource
  void whatItPrintsIsWhole(Hypervisor hypervisor) {
    String text =
        run(0, "--hypervisor", hypervisor.toString(), "--socket", "/run/vm1.sock", "--cid=7");
    assertFalse(text.contains("PATH") || text.contains("CID"), text);
    Matcher listen = LISTEN.matcher(text);
    assertTrue(listen.find(), text);
    do {
      Communicator.of(Endpoint.parse(listen.group(1)));
    } while (listen.find());
  }

  @Test
  void theGuestsSocketAndNumberAreThere() {
    String qemu = run(0, "--hypervisor=qemu", "--socket=/run/vm1.sock", "--cid=7");
    assertTrue(qemu.contains("path=/run/vm1.sock,server=on,wait=off"), qemu);
    assertTrue(qemu.contains("name=outboard.0"), qemu);
    assertTrue(qemu.contains("guest-cid=7"), qemu);
    assertTrue(qemu.contains("--listen virtio:/run/vm1.sock"), qemu);
  }

  @Test
  void libvirtsPartIsXml() throws Exception {
    String text = run(0, "--hypervisor=libvirt");
    String xml = text.substring(text.indexOf("<!--"), text.indexOf("\n# On the host"));
    byte[] devices = ("<devices>" + xml + "</devices>").getBytes(StandardCharsets.UTF_8);
    var parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(devices));
    assertEquals(1, parsed.getElementsByTagName("channel").getLength());
  }

  /** Each hypervisor that the document knows can be asked for. */
  @Test
  void theDocumentKnowsNoOther() throws Exception {
    String document = Files.readString(Path.of("../docs/hypervisors.md"));
    List<String> rows =
        ROW.matcher(document.substring(document.indexOf("\n| hypervisor |")))
            .results()
            .map(row -> row.group(1).toLowerCase(Locale.ROOT))
            .toList();
    assertTrue(rows.size() >= Hypervisor.values().length, rows::toString);
    for (String row : rows) {
      assertTrue(
          Stream.of(Hypervisor.values()).anyMatch(one -> row.contains(words(one))),
          () -> "'outboard guest' does not know: " + row);
    }
  }

  private static String words(Hypervisor one) {
    String name = one.toString();
    return one == Hypervisor.HYPER_V ? name : name.replace('-', ' ');
  }

  @Test
  void aDomainOfXensHasItsNumberAndNoSocket() {
    String xen = run(0, "--hypervisor=xen", "--cid=1");
    assertTrue(xen.contains("\noutboard-xen 1 tcp://127.0.0.1:14900\n"), xen);
    assertTrue(xen.contains("\noutboard-run --on xen:0 "), xen);
    assertTrue(run(2, "--hypervisor=xen", "--cid=0").contains("at least 1"));
  }

  @Test
  void whatIsNoneIsRefused() {
    assertTrue(run(2, "--hypervisor=bochs").contains("expected one of qemu, libvirt"));
    assertTrue(run(2, "--hypervisor=qemu", "--cid=2").contains("at least 3"));
    assertTrue(run(2).contains("--hypervisor"));
  }
}
