// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.plugin;

import io.outboard.api.json.Ordered;
import io.outboard.backend.library.Libraries;
import io.outboard.communicator.Communicator;
import io.outboard.plugin.Build;
import io.outboard.plugin.Offers;
import io.outboard.plugin.PlugIn;
import io.outboard.plugin.PlugIns;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Libraries and communicators of this installation: its own, and those of plug-ins. */
final class PlugInList {
  private static final String OWN = "Outboard";
  private static final String LIBRARY_FILE = ".so";

  private PlugInList() {}

  /**
   * One thing.
   *
   * @param kind library, communicator, devices, frontend (a plug-in's half in programs) or plug-in
   * @param name its name; a file's for a frontend or a plug-in that is not used
   * @param version its version; empty if it does not say
   * @param from where it comes from
   * @param digest the SHA-256 of that file; empty for Outboard's own
   * @param why why it is not used; empty if it is
   */
  record Row(String kind, String name, String version, String from, String digest, String why) {}

  /** Looks for everything. */
  static List<Row> installed() throws IOException {
    List<Row> rows = new ArrayList<>();
    add(rows, "library", Libraries.offers(), service -> service.library());
    add(rows, "communicator", Communicator.offers(), Communicator::scheme);
    DeviceSupport.ofThisMachine()
        .forEach(
            device ->
                rows.add(new Row("devices", device.name(), Build.VERSION, OWN, "", device.why())));
    for (Offers.Refused refused : PlugIns.refused()) {
      rows.add(refused(refused));
    }
    for (Path file : frontends()) {
      rows.add(new Row("frontend", name(file), "", file.toString(), digest(file), ""));
    }
    return rows;
  }

  private static <S> void add(
      List<Row> rows, String kind, Offers<S> offers, Function<S, String> name) throws IOException {
    for (Offers.Offer<S> offer : offers.taken()) {
      Optional<PlugIn> from = offer.from();
      String version = from.map(PlugIn::version).orElse(Build.VERSION);
      String file = from.map(plugIn -> plugIn.file().toString()).orElse(OWN);
      String digest = from.isPresent() ? digest(from.get().file()) : "";
      rows.add(new Row(kind, name.apply(offer.service()), version, file, digest, ""));
    }
    for (Offers.Refused refused : offers.refused()) {
      rows.add(refused(refused));
    }
  }

  private static Row refused(Offers.Refused refused) throws IOException {
    Path file = refused.file();
    return new Row("plug-in", name(file), "", file.toString(), digest(file), refused.why());
  }

  private static List<Path> frontends() {
    return PlugIns.folder().map(folder -> PlugIns.files(folder, LIBRARY_FILE)).orElse(List.of());
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static String digest(Path file) throws IOException {
    boolean readable = Files.isRegularFile(file) && Files.isReadable(file);
    return readable ? Sha256.of(Files.readAllBytes(file)).hex() : "";
  }

  /** A table for people: digests shortened. */
  static Stream<String> table(List<Row> rows) {
    String form = "%-13s %-26s %-15s %-13s %s";
    return Stream.concat(
        Stream.of(form.formatted("kind", "name", "version", "digest", "from")),
        rows.stream()
            .map(
                row ->
                    form.formatted(
                            row.kind,
                            row.name,
                            row.version,
                            row.digest.substring(0, Math.min(row.digest.length(), 12)),
                            row.from + (row.why.isEmpty() ? "" : ": " + row.why))
                        .strip()));
  }

  /** The same for programs: an object of JSON. */
  static Map<String, Object> json(Row row) {
    return Ordered.of(
        "kind", row.kind,
        "name", row.name,
        "version", row.version,
        "from", row.from,
        "sha256", row.digest,
        "notUsedBecause", row.why);
  }
}
