// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Where a backend is: {@code tcp://HOST[:PORT]} or {@code tls://[SHA256@]HOST[:PORT]}.
 *
 * @param pin the fingerprint of the one certificate that is trusted; empty for those that the
 *     authorities vouch for
 */
record Place(boolean encrypted, String pin, String host, int port) {
  private static final int USUAL = 14900;
  private static final int CONNECT_MS = 10_000;
  private static final int MOST_PORT = 0xffff;

  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>tcp|tls)://((?<pin>[0-9a-fA-F:]{64,95})@)?"
              + "(\\[(?<six>[0-9a-fA-F:.%a-z]+)\\]|(?<host>[^:/\\[\\]@\\s]+))"
              + "(:(?<port>[0-9]{1,5}))?/?");

  static Place parse(String uri) {
    Matcher found = FORM.matcher(uri);
    if (!found.matches() || (found.group("pin") != null && !uri.startsWith("tls"))) {
      throw new IllegalArgumentException(
          "'" + uri + "': expected tls://[SHA256@]HOST[:PORT] or tcp://HOST[:PORT]");
    }
    String pin = found.group("pin");
    int port = found.group("port") == null ? USUAL : Integer.parseInt(found.group("port"));
    if (port > MOST_PORT) {
      throw new IllegalArgumentException("'" + uri + "': a port is at most " + MOST_PORT);
    }
    return new Place(
        found.group("scheme").equals("tls"),
        pin == null ? "" : pin.replace(":", "").toLowerCase(Locale.ROOT),
        found.group("six") != null ? found.group("six") : found.group("host"),
        port);
  }

  /** Connects. */
  Socket connect(SSLSocketFactory authorities) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.setKeepAlive(true);
      plain.connect(new InetSocketAddress(host, port), CONNECT_MS);
      return encrypted ? encrypted(plain, authorities) : plain;
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  private Socket encrypted(Socket plain, SSLSocketFactory authorities) throws IOException {
    SSLSocketFactory factory = pin.isEmpty() ? authorities : PinnedCertificate.factory(pin);
    plain.setSoTimeout(CONNECT_MS);
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3"});
    if (pin.isEmpty()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
