// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import io.outboard.api.monitoring.Figures;
import java.util.LinkedHashMap;
import java.util.Map;

/** An instrument of a meter for each family of figures. */
final class Instruments {
  private final Meter meter;
  private final Map<String, ObservableDoubleMeasurement> families = new LinkedHashMap<>();

  Instruments(Meter meter) {
    this.meter = meter;
  }

  /** Makes one for each family that is named, and takes no figure. */
  Figures making() {
    return new Figures() {
      @Override
      public void family(String name, String kind, String help) {
        families.computeIfAbsent(name, _ -> make(name, kind, help));
      }

      @Override
      public void sample(Map<String, String> labels, Number value) {}
    };
  }

  private ObservableDoubleMeasurement make(String name, String kind, String help) {
    return kind.equals("counter")
        ? meter.counterBuilder(name).ofDoubles().setDescription(help).buildObserver()
        : meter.gaugeBuilder(name).setDescription(help).buildObserver();
  }

  /** Has figures taken whenever the meter is read. */
  void onRead(Runnable write) {
    ObservableMeasurement[] all = families.values().toArray(ObservableMeasurement[]::new);
    var unused = meter.batchCallback(write, all[0], all);
  }

  /** Takes figures. */
  Figures taking() {
    return new Figures() {
      private ObservableDoubleMeasurement family;

      @Override
      public void family(String name, String kind, String help) {
        family = families.get(name);
      }

      @Override
      public void sample(Map<String, String> labels, Number value) {
        if (family != null) {
          AttributesBuilder attributes = Attributes.builder();
          labels.forEach(attributes::put);
          family.record(value.doubleValue(), attributes.build());
        }
      }
    };
  }
}
