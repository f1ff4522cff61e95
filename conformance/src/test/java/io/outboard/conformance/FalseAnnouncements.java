// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.Random;

/**
 * A program that says over multicast DNS, until it is killed, that there are backends: each time
 * others, some of them whole and well-formed, some of them nonsense.
 */
final class FalseAnnouncements {
  private static final InetSocketAddress EVERYBODY = new InetSocketAddress("224.0.0.251", 5353);
  private static final String TYPE = "_outboard._tcp.local";
  private static final int RESPONSE = 0x8400;
  private static final int INTERNET = 1;
  private static final int TIME = 3600;
  private static final int SEED = 20261128;

  private final Random random = new Random(SEED);

  private FalseAnnouncements() {}

  /**
   * Sends them.
   *
   * @param arguments the address of the interface
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    InetAddress own = InetAddress.getByName(arguments[0]);
    FalseAnnouncements sender = new FalseAnnouncements();
    try (MulticastSocket socket = new MulticastSocket()) {
      socket.setNetworkInterface(NetworkInterface.getByInetAddress(own));
      System.out.println("sending");
      while (true) {
        for (int burst = 0; burst < 50; burst++) {
          byte[] packet = sender.packet();
          socket.send(new DatagramPacket(packet, packet.length, EVERYBODY));
        }
        Thread.sleep(1);
      }
    }
  }

  private byte[] packet() throws IOException {
    if (random.nextInt(3) == 0) {
      byte[] nonsense = new byte[random.nextInt(1_200)];
      random.nextBytes(nonsense);
      return nonsense;
    }
    return announcement("liar" + random.nextInt(1_000_000_000));
  }

  /** PTR, SRV, TXT and A of one that is nowhere (RFC 6763, 4; RFC 1035, 3.3 and 3.4). */
  private byte[] announcement(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int word : new int[] {0, RESPONSE, 0, 4, 0, 0}) {
      out.writeShort(word);
    }
    String instance = name + "." + TYPE;
    record(out, TYPE, 12, name(instance));
    ByteArrayOutputStream service = new ByteArrayOutputStream();
    service.write(new byte[] {0, 0, 0, 0, (byte) random.nextInt(256), (byte) random.nextInt(256)});
    service.write(name(name + ".local"));
    record(out, instance, 33, service.toByteArray());
    record(out, instance, 16, text());
    byte[] address = new byte[4];
    random.nextBytes(address);
    record(out, name + ".local", 1, address);
    return bytes.toByteArray();
  }

  private byte[] text() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    String gpus = random.nextBoolean() ? "gpus=" + random.nextLong() : "gpus=8";
    for (String one :
        new String[] {"role=backend", "scheme=tcp", gpus, "model=\u001b[2J" + "x".repeat(200)}) {
      text.write(one.length());
      text.write(one.getBytes(US_ASCII));
    }
    return text.toByteArray();
  }

  private static void record(DataOutputStream out, String name, int type, byte[] data)
      throws IOException {
    out.write(name(name));
    out.writeShort(type);
    out.writeShort(INTERNET);
    out.writeInt(TIME);
    out.writeShort(data.length);
    out.write(data);
  }

  private static byte[] name(String name) throws IOException {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (String label : name.split("\\.", -1)) {
      labels.write(label.length());
      labels.write(label.getBytes(US_ASCII));
    }
    labels.write(0);
    return labels.toByteArray();
  }
}
