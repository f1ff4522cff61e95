// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;

/** Rows of a control connection as JSON, and what they look like in the document. */
final class View {
  private static final int SHARE_PLACES = 3;

  private record Column(Schema schema, String description, Function<Form, Object> value) {}

  private final SequencedMap<String, Column> columns = new LinkedHashMap<>();

  private View column(
      String name, Schema schema, String description, Function<Form, Object> value) {
    columns.put(name, new Column(schema, description, value));
    return this;
  }

  /** A text. */
  View text(String name, String description) {
    return column(name, Schema.text(), description, form -> form.get(name));
  }

  /** A count. */
  View count(String name, String description) {
    return column(name, Schema.count(), description, form -> form.number(name, 0));
  }

  /** Any number. */
  View number(String name, String description) {
    return column(name, new Schema.Figure(), description, form -> form.number(name, 0));
  }

  /** Thousandths as a number from 0 to 1. */
  View share(String name, String description) {
    return column(name, new Schema.Figure(), description, form -> share(form.number(name, 0)));
  }

  /** True or false. */
  View flag(String name, String description) {
    return column(name, new Schema.Flag(), description, form -> form.get(name).equals("true"));
  }

  /** A moment, null where it has not come. */
  View moment(String name, String description) {
    return column(
        name, new Schema.Nullable(Schema.moment()), description, form -> moment(form, name));
  }

  /** Texts with a space between. */
  View texts(String name, String description) {
    return column(name, new Schema.Many(Schema.text()), description, form -> form.words(name));
  }

  /** Names with a count behind each, with spaces between. */
  View counts(String name, String description) {
    Schema.Fields one =
        new Schema.Fields()
            .with("name", Schema.text(), "of a function")
            .with("count", Schema.count(), "how often");
    return column(name, new Schema.Many(one), description, form -> counts(form.words(name)));
  }

  private static List<Object> counts(List<String> words) {
    List<Object> counts = new ArrayList<>();
    for (int place = 0; place + 1 < words.size(); place += 2) {
      counts.add(
          Ordered.of("name", words.get(place), "count", Long.parseLong(words.get(place + 1))));
    }
    return counts;
  }

  /** A count, null where it is empty. */
  View optional(String name, String description) {
    return column(
        name,
        new Schema.Nullable(Schema.count()),
        description,
        form -> form.get(name).isEmpty() ? null : form.number(name, 0));
  }

  /** The user of something, as accounting elsewhere names it. */
  View identity() {
    return text("consumerType", "vm, job, process or empty")
        .text("consumerId", "of the virtual machine or the job")
        .text("user", "global name")
        .text("fqan", "virtual organisation, group and role")
        .text("vo", "the virtual organisation alone")
        .text("site", "where it is registered");
  }

  private static BigDecimal share(long thousandths) {
    return BigDecimal.valueOf(thousandths, SHARE_PLACES).stripTrailingZeros();
  }

  private static String moment(Form form, String name) {
    long millis = form.number(name, 0);
    return millis == 0
        ? null
        : Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** The schema of a row. */
  Schema.Fields schema() {
    Schema.Fields fields = new Schema.Fields();
    columns.forEach((name, column) -> fields.with(name, column.schema(), column.description()));
    return fields;
  }

  /** The schema of an object that has several rows under a name. */
  Schema.Fields many(String name) {
    return new Schema.Fields().with(name, new Schema.Many(schema()), "each of them");
  }

  /** An object that has all rows under a name. */
  Reply all(String name, List<Form> rows) {
    return Reply.of(Map.of(name, rows.stream().<Object>map(this::of).toList()));
  }

  /** A row. */
  Map<String, Object> of(Form row) {
    SequencedMap<String, Object> object = new LinkedHashMap<>();
    columns.forEach((name, column) -> object.put(name, column.value().apply(row)));
    return object;
  }
}
