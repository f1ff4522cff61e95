// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.port.VirtioCommunicator;
import io.outboard.communicator.port.VirtioPort;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Vsock;
import io.outboard.communicator.socket.UnixCommunicator;
import io.outboard.communicator.socket.VsockCommunicator;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the backend, the first of: what the caller names; the variable {@code OUTBOARD}; the key
 * {@code backend} of {@code outboard.properties} in the working folder, in {@code
 * ${XDG_CONFIG_HOME:-~/.config}/outboard} and in {@code /etc/outboard}; the key {@code
 * communicator} of {@code gvirtus.properties} in the working folder and in {@code
 * $GVIRTUS_HOME/etc}; the user's socket {@code $XDG_RUNTIME_DIR/outboard/outboard.sock}, then
 * {@code ${XDG_STATE_HOME:-~/.local/state}/outboard/run/outboard.sock}; the system's socket {@code
 * /run/outboard/outboard.sock}; in a virtual machine with a token the host, {@code
 * vsock://2:14900}, unless the variable {@code OUTBOARD_VSOCK} is 0; there a virtio-serial port
 * named {@code outboard.*}, unless {@code OUTBOARD_VIRTIO} is 0. A socket, and the host, count only
 * if somebody answers there.
 */
public final class Backends {
  /** The variable that names the backend. */
  public static final String VARIABLE = "OUTBOARD";

  /** The file that names the backend. */
  public static final String FILE = "outboard.properties";

  private static final String HOST_VARIABLE = "OUTBOARD_VSOCK";
  private static final String PORT_VARIABLE = "OUTBOARD_VIRTIO";
  private static final String KEY = "backend";
  private static final String GVIRTUS_FILE = "gvirtus.properties";
  private static final String GVIRTUS_KEY = "communicator";
  private static final Pattern GVIRTUS_UNIX = Pattern.compile("afunix://(.*?)(:\\d+)?");
  private static final int OTHERS_WRITE = 02;
  private static final System.Logger LOG = System.getLogger(Backends.class.getName());

  private static final String FOLDER = "outboard";
  private static final String SOCKET = "outboard.sock";

  private final Map<String, String> environment;
  private final Path workingFolder;
  private final Path root;

  /** Looks around this process. */
  public Backends() {
    this(System.getenv(), Path.of(""), Path.of("/"));
  }

  /**
   * Looks around elsewhere.
   *
   * @param root above {@code etc} and {@code run}
   */
  public Backends(Map<String, String> environment, Path workingFolder, Path root) {
    this.environment = environment;
    this.workingFolder = workingFolder;
    this.root = root;
  }

  /** The socket in the user's runtime folder; none without one, as after su or by cron. */
  public Optional<Path> runtimeSocket() {
    return variable("XDG_RUNTIME_DIR").map(folder -> Path.of(folder, FOLDER, SOCKET));
  }

  /** The user's folder for state, where a backend keeps leases unless it is told otherwise. */
  public Path stateFolder() {
    return variable("XDG_STATE_HOME")
        .map(Path::of)
        .orElseGet(() -> Path.of(environment.getOrDefault("HOME", "/"), ".local", "state"))
        .resolve(FOLDER);
  }

  /** The socket of a backend that was started without a runtime folder. */
  public Path stateSocket() {
    return stateFolder().resolve("run").resolve(SOCKET);
  }

  /** The user's socket, where this user's backend listens. */
  public Path userSocket() {
    return runtimeSocket().orElseGet(this::stateSocket);
  }

  /** The system's socket. */
  public Path systemSocket() {
    return root.resolve("run").resolve(FOLDER).resolve(SOCKET);
  }

  /**
   * Finds the backend.
   *
   * @param named what the caller names, if it does
   * @throws IllegalArgumentException if what is found is not an endpoint; the message says where
   * @throws IOException if a file is there that cannot be read
   */
  public Optional<Found> find(Optional<String> named) throws IOException {
    if (named.isPresent()) {
      return Optional.of(found(named.get(), "the command line"));
    }
    Optional<String> variable = variable(VARIABLE);
    if (variable.isPresent()) {
      return Optional.of(found(variable.get(), VARIABLE));
    }
    for (Path file : files()) {
      Optional<String> value = value(file, KEY);
      if (value.isPresent()) {
        return Optional.of(found(value.get(), file.toString()));
      }
    }
    Optional<Found> gvirtus = gvirtus();
    if (gvirtus.isPresent()) {
      return gvirtus;
    }
    Optional<Found> socket = answeringSocket();
    Optional<Found> socketOrHost = socket.isPresent() ? socket : answeringHost();
    return socketOrHost.isPresent() ? socketOrHost : port();
  }

  /**
   * The sites among which a lease may be had: those of the first {@code outboard.properties} that
   * has the key {@code sites}, in their order; none where no file has it.
   *
   * @throws IllegalArgumentException if a key of theirs is missing or wrong; the message says where
   * @throws IOException if a file is there that cannot be read
   */
  public List<Site> sites() throws IOException {
    for (Path file : files()) {
      Properties keys = believed(file);
      if (keys.containsKey(SiteKeys.NAMES)) {
        return new SiteKeys(keys, file).sites();
      }
    }
    return List.of();
  }

  private boolean isWanted(String variable) {
    return !environment.getOrDefault(variable, "").equals("0");
  }

  /** It wants a token, so without one it is not asked. */
  private Optional<Found> answeringHost() throws IOException {
    Path device = root.resolve("dev").resolve("vsock");
    return isWanted(HOST_VARIABLE)
            && Vsock.isGuest(device)
            && TokenFile.find(environment).isPresent()
            && VsockCommunicator.hostAnswers()
        ? Optional.of(
            new Found(
                VsockCommunicator.HOST, device + ": the host of this virtual machine answers"))
        : Optional.empty();
  }

  /**
   * The companion that passes programs on through it may not run yet, so nobody is asked: a program
   * whose connecting fails then says how to start one.
   */
  private Optional<Found> port() throws IOException {
    Optional<VirtioPort> port =
        isWanted(PORT_VARIABLE) ? VirtioPort.ofOutboard(root) : Optional.empty();
    return port.isPresent() && TokenFile.find(environment).isPresent()
        ? port.map(Backends::found)
        : Optional.empty();
  }

  private static Found found(VirtioPort port) {
    return found(
        VirtioCommunicator.SCHEME + ":" + port.name(),
        port.folder() + ": a port of this virtual machine; no backend was found over vsock");
  }

  private Optional<Found> answeringSocket() {
    List<Path> sockets = new ArrayList<>();
    runtimeSocket().ifPresent(sockets::add);
    sockets.add(stateSocket());
    sockets.add(systemSocket());
    return sockets.stream()
        .map(Path::toString)
        .filter(UnixCommunicator::answers)
        .findFirst()
        .map(path -> new Found(Endpoint.unix(path), path));
  }

  /**
   * The system's socket, where it is there, or in a folder that cannot be looked into, and this
   * user may not use it.
   */
  public Optional<Path> othersSocket() {
    return Optional.of(systemSocket())
        .filter(socket -> !Files.notExists(socket) && !Files.isWritable(socket));
  }

  private List<Path> files() {
    Path configuration =
        variable("XDG_CONFIG_HOME")
            .map(Path::of)
            .orElseGet(() -> Path.of(environment.getOrDefault("HOME", "/"), ".config"));
    return List.of(
        workingFolder.resolve(FILE),
        configuration.resolve(FOLDER).resolve(FILE),
        root.resolve("etc").resolve(FOLDER).resolve(FILE));
  }

  /**
   * The communicator of a file of GVirtuS, which both sides read: where programs connect to, and
   * where a backend listens that is told no other place.
   *
   * @throws IllegalArgumentException if it is not an endpoint; the message says where
   * @throws IOException if a file is there that cannot be read
   */
  public Optional<Found> gvirtus() throws IOException {
    for (Path file : gvirtusFiles()) {
      Optional<String> value = value(file, GVIRTUS_KEY);
      if (value.isPresent()) {
        return Optional.of(found(translated(value.get().strip()), file.toString()));
      }
    }
    return Optional.empty();
  }

  /** The files of GVirtuS that are looked at, whether they are there or not. */
  public List<Path> gvirtusFiles() {
    List<Path> files = new ArrayList<>();
    files.add(workingFolder.resolve(GVIRTUS_FILE));
    variable("GVIRTUS_HOME").ifPresent(home -> files.add(Path.of(home, "etc", GVIRTUS_FILE)));
    return files;
  }

  /** GVirtuS writes {@code unix:PATH} as {@code afunix://PATH:MODE}. */
  private static String translated(String communicator) {
    Matcher unix = GVIRTUS_UNIX.matcher(communicator);
    return unix.matches() ? "unix:" + unix.group(1) : communicator;
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  private static Optional<String> value(Path file, String key) throws IOException {
    return Optional.ofNullable(believed(file).getProperty(key)).filter(value -> !value.isBlank());
  }

  private static Properties believed(Path file) throws IOException {
    if (Files.exists(file) && !mayBeBelieved(file)) {
      LOG.log(
          System.Logger.Level.WARNING,
          file + " is passed over: it is another user's, or everybody may write it");
      return new Properties();
    }
    return load(file);
  }

  /**
   * Reads a file of properties; one that is not there has none, nor has one in a folder that this
   * user may not enter, as the working folder of a shell after {@code su}.
   *
   * @throws IOException if it is there and cannot be read
   */
  public static Properties load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (NoSuchFileException e) {
      properties.clear();
    } catch (AccessDeniedException e) {
      if (Files.exists(file)) {
        throw e;
      }
    }
    return properties;
  }

  /**
   * Another user's word, in a folder where everybody writes say, must not lead this one's commands
   * to a backend of that user's.
   */
  private static boolean mayBeBelieved(Path file) throws IOException {
    int owner = (int) Files.getAttribute(file, "unix:uid");
    int mode = (int) Files.getAttribute(file, "unix:mode");
    return (owner == Processes.getuid() || owner == 0) && (mode & OTHERS_WRITE) == 0;
  }

  private static Found found(String uri, String where) {
    try {
      return new Found(Endpoint.parse(uri.strip()), where);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
    }
  }
}
