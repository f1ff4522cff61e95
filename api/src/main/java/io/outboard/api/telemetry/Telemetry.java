// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.outboard.api.monitoring.Metrics;
import io.outboard.api.monitoring.Node;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.broker.EndedSession;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Sends a collector the figures of {@code /metrics}, and a trace of each session once it is over.
 * Nobody waits for a collector: {@link #MOST_SPANS} sessions wait for it at most, and others are
 * left out; figures that it did not take are not sent again.
 */
public final class Telemetry implements AutoCloseable {
  /** Sessions that wait to be sent. */
  public static final int MOST_SPANS = 2_048;

  private static final System.Logger LOG = System.getLogger(Telemetry.class.getName());
  private static final String SCOPE = "io.outboard";
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Duration END = Duration.ofSeconds(2);
  private static final long AGAIN_SECONDS = 5;

  private final Collector collector;
  private final Duration every;
  private final Resource resource;
  private final SdkTracerProvider traces;
  private final Thread starting;
  // Guarded by this object's monitor; none before the figures are known.
  private SdkMeterProvider meters;
  private boolean closed;

  private Telemetry(Collector collector, Node node, Metrics metrics, Duration every) {
    this.collector = collector;
    this.every = every;
    this.resource =
        Resource.getDefault().toBuilder()
            .put("service.name", "outboard")
            .put("service.version", node.version())
            .put("host.name", node.name())
            .build();
    this.traces =
        SdkTracerProvider.builder().setResource(resource).addSpanProcessor(spans()).build();
    this.starting =
        Thread.ofPlatform().daemon().name("telemetry").start(() -> readOnceKnown(metrics));
  }

  /**
   * Begins.
   *
   * @param every how often figures are sent
   */
  public static Telemetry start(Collector collector, Node node, Metrics metrics, Duration every) {
    return new Telemetry(collector, node, metrics, every);
  }

  private BatchSpanProcessor spans() {
    var exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector.url("traces")).setTimeout(ANSWER);
    collector.headers().forEach(exporter::addHeader);
    return BatchSpanProcessor.builder(exporter.build())
        .setMaxQueueSize(MOST_SPANS)
        .setScheduleDelay(every.compareTo(ANSWER) < 0 ? every : ANSWER)
        .build();
  }

  /** The first look tells which figures there are; until devices are known there are none. */
  private void readOnceKnown(Metrics metrics) {
    try {
      while (!reads(metrics)) {
        TimeUnit.SECONDS.sleep(AGAIN_SECONDS);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "ended before there was any figure");
    }
  }

  private boolean reads(Metrics metrics) {
    try {
      metrics.write(new Instruments(SdkMeterProvider.builder().build().get(SCOPE)).making());
      read(metrics);
      return true;
    } catch (LeaseException | StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, "there are no figures yet", e);
      return false;
    }
  }

  private synchronized void read(Metrics metrics) throws LeaseException {
    if (closed) {
      return;
    }
    var exporter =
        OtlpHttpMetricExporter.builder().setEndpoint(collector.url("metrics")).setTimeout(ANSWER);
    collector.headers().forEach(exporter::addHeader);
    meters =
        SdkMeterProvider.builder()
            .setResource(resource)
            .registerMetricReader(
                PeriodicMetricReader.builder(exporter.build()).setInterval(every).build())
            .build();
    Instruments instruments = new Instruments(meters.get(SCOPE));
    metrics.write(instruments.making());
    instruments.onRead(() -> write(metrics, instruments));
  }

  private static void write(Metrics metrics, Instruments instruments) {
    try {
      metrics.write(instruments.taking());
    } catch (LeaseException | StoreException e) {
      LOG.log(System.Logger.Level.WARNING, "no figures are sent: {0}", e.getMessage());
    }
  }

  /** A session is over: its trace is sent when the collector takes it. */
  public void ended(EndedSession session) {
    Lease lease = session.lease();
    SpanBuilder span =
        traces
            .get(SCOPE)
            .spanBuilder("session")
            .setNoParent()
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(session.begin())
            .setAttribute("outboard.lease", lease.id())
            .setAttribute("outboard.tenant", lease.tenant())
            .setAttribute("outboard.consumer", lease.request().consumer())
            .setAttribute("outboard.user", lease.request().identity().user())
            .setAttribute("outboard.class", lease.request().service().label())
            .setAttribute("outboard.client", session.client())
            .setAttribute("outboard.calls", session.figures().calls())
            .setAttribute("outboard.received_bytes", session.figures().bytesIn())
            .setAttribute("outboard.sent_bytes", session.figures().bytesOut())
            .setAttribute("outboard.functions", session.functions())
            .setAttribute(
                AttributeKey.stringArrayKey("outboard.gpus"),
                lease.gpus().stream().map(gpu -> gpu.uuid()).toList());
    span.startSpan().end(session.end());
  }

  /** The rest is sent where the collector takes it at once. */
  @Override
  public void close() {
    starting.interrupt();
    // Not on this thread: a reader waits for its collector as it is shut down.
    Thread end = Thread.ofPlatform().daemon().name("telemetry-end").start(this::end);
    try {
      boolean unused = end.join(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    CompletableResultCode sent = traces.shutdown();
    endMeters();
    var unused = sent.join(END.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void endMeters() {
    closed = true;
    if (meters != null) {
      var unused = meters.shutdown();
    }
  }
}
