// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.notice;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * A queue of this program's own, to which Nova's notifications go while it is connected. The queue
 * has a bound, and goes with the connection: whatever is lost is found by comparing.
 */
public final class NoticeQueue implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NoticeQueue.class.getName());

  /** To which Nova publishes ({@code control_exchange}). */
  private static final String EXCHANGE = "nova";

  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Messages that wait in RabbitMQ; the oldest ones give way. */
  private static final int MOST_WAITING = 10_000;

  /** Messages that are on their way here. */
  private static final int AT_A_TIME = 100;

  private final List<MessageBroker> brokers;
  private final String password;
  private final SSLContext tls;
  private final String topic;
  private final Consumer<Notice> listener;
  private final Thread thread =
      Thread.ofPlatform().name("notifications").daemon(true).unstarted(this::run);

  /**
   * Makes one.
   *
   * @param brokers of one cloud; the next one is asked where one does not answer
   * @param tls for those that are encrypted
   * @param topic of Nova's versioned notifications ({@code versioned_notifications_topics})
   * @param listener is told, and does not take long
   */
  public NoticeQueue(
      List<MessageBroker> brokers,
      String password,
      SSLContext tls,
      String topic,
      Consumer<Notice> listener) {
    this.brokers = List.copyOf(brokers);
    this.password = password;
    this.tls = tls;
    this.topic = topic;
    this.listener = listener;
  }

  /** Begins to listen, and to look for a broker that answers. */
  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void run() {
    String said = "";
    try {
      for (int which = 0; ; which = (which + 1) % brokers.size()) {
        String why = listen(brokers.get(which));
        // A failure is said once, and again when it is another.
        if (!why.equals(said)) {
          LOG.log(System.Logger.Level.WARNING, "no notifications of Nova: " + why);
        }
        said = why;
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Listens until that is over; returns why. */
  private String listen(MessageBroker broker) throws InterruptedException {
    try (Connection connection =
        broker.connections(password, tls).newConnection("outboard openstack")) {
      CountDownLatch lost = new CountDownLatch(1);
      connection.addShutdownListener(_ -> lost.countDown());
      consume(connection.createChannel(), lost);
      LOG.log(System.Logger.Level.INFO, "notifications come from " + broker.uri());
      lost.await();
      return broker.uri() + " has gone";
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      return broker.uri() + " does not serve: " + reason(e);
    }
  }

  /** RabbitMQ's reason for closing a channel is the cause of an exception without words. */
  private static String reason(Exception e) {
    Throwable told = e.getMessage() == null && e.getCause() != null ? e.getCause() : e;
    return String.valueOf(told.getMessage()).replaceAll("\\p{Cc}", " ");
  }

  private void consume(Channel channel, CountDownLatch lost) throws IOException {
    // Nova makes it: another kind of exchange would be refused to Nova then.
    Object unused = channel.exchangeDeclarePassive(EXCHANGE);
    String queue = "outboard-" + UUID.randomUUID();
    AMQP.Queue.DeclareOk made =
        channel.queueDeclare(queue, false, true, true, Map.of("x-max-length", MOST_WAITING));
    for (String priority : List.of("info", "error")) {
      unused = channel.queueBind(made.getQueue(), EXCHANGE, topic + "." + priority);
    }
    channel.basicQos(AT_A_TIME);
    unused = channel.basicConsume(made.getQueue(), new Reader(channel, lost));
  }

  /** Reads what comes; who has forged it decides nothing. */
  private final class Reader extends DefaultConsumer {
    private final CountDownLatch lost;

    Reader(Channel channel, CountDownLatch lost) {
      super(channel);
      this.lost = lost;
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
        throws IOException {
      Notice.read(body).ifPresent(listener);
      getChannel().basicAck(envelope.getDeliveryTag(), false);
    }

    @Override
    public void handleCancel(String tag) {
      lost.countDown();
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException why) {
      lost.countDown();
    }
  }
}
