// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.ApiAddress;
import io.outboard.api.HttpServer;
import io.outboard.api.http.RateLimit;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.Part;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestAnswer;
import io.outboard.office.rest.RestException;
import io.outboard.office.testkit.TestOffice;
import io.outboard.openstack.cloud.Keystone;
import io.outboard.openstack.cloud.LeaseMachines;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Placement;
import io.outboard.openstack.discover.CloudGlue;
import io.outboard.openstack.grant.CloudRules;
import io.outboard.openstack.grant.HeardMachines;
import io.outboard.openstack.grant.LeaseTerms;
import io.outboard.openstack.grant.MachineEndpoint;
import io.outboard.openstack.grant.MachineLeases;
import io.outboard.openstack.grant.MachineWatch;
import io.outboard.openstack.grant.OrphanMachines;
import io.outboard.openstack.grant.StaleMachines;
import io.outboard.openstack.grant.TokenExchange;
import io.outboard.openstack.offer.ClientPackages;
import io.outboard.openstack.offer.Flavor;
import io.outboard.openstack.offer.GpuModel;
import io.outboard.openstack.offer.OfferTerms;
import io.outboard.openstack.offer.PoolOffer;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * The adapter with the lease office's real interface, and with OpenStack's answers as Nova 26.2,
 * Placement 8.0 and Keystone 22.0 gave them. With {@code -Doutboard.openstack.record=FOLDER} these
 * are asked, as {@code conformance/openstack/cloud} starts them, and their answers written to
 * FOLDER: a cloud of its own for each test.
 */
final class CloudTest {
  private static final int GPUS = 4;
  private static final String RECORD = "outboard.openstack.record";
  private static final String FLAVOR = "cg1.xlarge";

  /** Tests whose pool has one GPU of four for parts of it. */
  private static final Set<String> SHARED = Set.of("aMachineHasAPartOfAGpu");

  private static final int USER_DATA = 65_532;
  private static final Duration LIFE = Duration.ofHours(1);

  @TempDir private Path folder;
  private String name;
  private Tape tape;
  private TestOffice office;
  private Scene scene;
  private Nova nova;
  private PoolOffer offer;
  private MachineLeases machines;
  private MachineWatch watch;
  private HttpServer endpoint;
  private String image;

  @BeforeEach
  void begin(TestInfo test) throws Exception {
    name = test.getTestMethod().orElseThrow().getName();
    tape = tape();
    office = new TestOffice(folder, GPUS);
    scene = new Scene(tape);
    Keystone keystone = scene.keystone();
    nova = new Nova(keystone);
    Placement placement = new Placement(keystone);
    offer =
        new PoolOffer(
            placement,
            nova,
            new OfferTerms(name, "remote-gpus", BigDecimal.ONE, SHARED.contains(name) ? 1 : 0));
    CloudRules rules = CloudRules.usual();
    machines =
        new MachineLeases(
            placement, offer, office.client(), rules, new LeaseTerms(LIFE, Duration.ZERO));
    watch = new MachineWatch(nova, office.client(), offer, machines, InstantSource.system());
    TokenExchange exchange =
        new TokenExchange(office.client(), rules, InstantSource.fixed(tape.begin()));
    endpoint =
        HttpServer.start(
            ApiAddress.parse("http://127.0.0.1:0"),
            Optional.empty(),
            new MachineEndpoint(
                keystone,
                machines,
                exchange,
                new StaleMachines(nova, placement, office.client(), offer, machines, watch),
                new ClientPackages(Optional.of(folder)),
                new RateLimit(100_000, System::nanoTime),
                "service"));
    prepare();
  }

  private Tape tape() throws IOException {
    return System.getProperty(RECORD) == null
        ? Tape.replay(Path.of("src/test/resources/tapes", name + ".jsonl"))
        : Tape.record(
            Map.of(
                "identity", "http://127.0.0.1:25000",
                "placement", "http://127.0.0.1:28778",
                "compute", "http://127.0.0.1:28774",
                "image", "http://127.0.0.1:29292"));
  }

  /** The aggregate, the image and the flavor, of which each test has its own. */
  private void prepare() throws IOException {
    String admin = scene.token("admin", "demo");
    image = scene.image(admin);
    List<String> done = watch.look();
    assertEquals(1, done.size(), done::toString);
    Flavor flavor = new Flavor(FLAVOR + name, 1, 64, 1, 2, 0, "h200");
    nova.makeFlavor(flavor.name(), 1, 64, 1, flavor.specs(models()));
  }

  private Map<String, GpuModel> models() throws IOException {
    return GpuModel.of(office.client().devices());
  }

  private Fields nova(String token, String method, String path, Object body) throws IOException {
    return scene.nova(token, method, path, body);
  }

  @AfterEach
  void end() throws Exception {
    endpoint.close();
    office.close();
    if (tape.records()) {
      // The next test has the cloud for itself.
      int unused = offer.keep(Map.of(), Map.of());
      tape.write(Path.of(System.getProperty(RECORD), name + ".jsonl"));
    }
    tape.close();
    assertEquals(List.of(), tape.surprises());
  }

  private String flavor(String token) throws IOException {
    return flavor(token, FLAVOR + name);
  }

  private String flavor(String token, String wanted) throws IOException {
    return nova(token, "GET", "/flavors", null).objects("flavors").stream()
        .filter(one -> one.text("name").equals(wanted))
        .findFirst()
        .orElseThrow()
        .text("id");
  }

  private String boot(String token, String machine, String status) throws Exception {
    String id = scene.boot(token, machine, flavor(token), image);
    Fields unused = scene.await(token, id, status);
    return id;
  }

  private void delete(String token, String machine) throws Exception {
    Fields unused = nova(token, "DELETE", "/servers/" + machine, null);
    scene.awaitGone(token, machine);
  }

  /** Nova's request, with a token. */
  private Fields vendordata(String token, String machine, String project) throws IOException {
    URI where = URI.create(endpoint.uri() + "/v1/vendordata");
    Map<String, Object> body =
        Ordered.of(
            "project-id",
            project,
            "instance-id",
            machine,
            "image-id",
            image,
            // As long as Nova takes it, in Base64.
            "user-data",
            "QUJD".repeat(USER_DATA / 4),
            "hostname",
            "vm",
            "metadata",
            Map.of(),
            "boot-roles",
            "reader,member");
    return TestOffice.rest().ask("POST", where, Map.of("X-Auth-Token", token), body).body();
  }

  private RestAnswer exchange(String token) throws IOException {
    URI where = URI.create(endpoint.uri() + "/v1/token");
    return TestOffice.rest().ask("POST", where, Map.of("X-Auth-Token", token), null);
  }

  private String project(String token, String machine) throws IOException {
    return scene.server(token, machine).text("tenant_id");
  }

  private Lease only() throws IOException {
    List<Lease> leases = office.leases();
    assertEquals(1, leases.size(), leases::toString);
    return leases.getFirst();
  }

  private void assertEnded(String machine, List<String> done) throws IOException {
    assertEquals(List.of(), office.leases());
    assertTrue(done.stream().anyMatch(line -> line.contains(machine)), done::toString);
  }

  /** Without a token, as a machine has none yet. */
  private void assertHasThePackage(byte[] content) throws Exception {
    Path unused = Files.write(folder.resolve("outboard-client.deb"), content);
    HttpClient http = HttpClient.newHttpClient();
    URI where = URI.create(endpoint.uri() + "/packages/outboard-client.deb");
    HttpRequest request = HttpRequest.newBuilder(where).build();
    assertArrayEquals(content, http.send(request, BodyHandlers.ofByteArray()).body());
    HttpRequest other =
        HttpRequest.newBuilder(URI.create(endpoint.uri() + "/packages/key")).build();
    assertEquals(404, http.send(other, BodyHandlers.discarding()).statusCode());
    HttpRequest put = HttpRequest.newBuilder(where).DELETE().build();
    assertEquals(405, http.send(put, BodyHandlers.discarding()).statusCode());
  }

  @Test
  void aMachineHasItsGpusUntilItIsDeleted() throws Exception {
    assertHasThePackage(new byte[] {0, 1, -1});
    String alice = scene.token("alice", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    Fields told = vendordata(service, machine, project);
    assertEquals(2, told.count("gpus"));
    assertEquals("granted", told.text("state"));
    assertEquals(List.of("tcp://gpu-node:14900"), told.texts("endpoints"));
    assertEquals(64, told.text("token").length());
    assertEquals(told, vendordata(service, machine, project), "as often as it is asked");
    Lease lease = only();
    assertEquals(project, lease.tenant());
    assertEquals(machine, lease.machine());
    assertEquals(List.of(), watch.look());
    assertEquals(lease.id(), only().id());
    delete(alice, machine);
    assertEnded(machine, watch.look());
    assertEquals(Fields.NONE, vendordata(service, machine, project));
    assertEquals(List.of(), office.leases());
  }

  @Test
  void flavorsWithGpusAndSharesAreEntitiesOfGlue() throws Exception {
    String machine = boot(scene.token("alice", "demo"), "vm", "ACTIVE");
    String project = project(scene.token("admin", "demo"), machine);
    String site = "https://cloud.example/v3";
    String share = site + "_OpenStack_v3_share_vo.example.org_" + project;
    CloudGlue glue =
        new CloudGlue(
            nova,
            List.of(new GpuModel(TestOffice.MODEL, "hopper", 141L << 30, GPUS, 0)),
            URI.create(site),
            Map.of("vo.example.org", project));
    Fields document = Fields.read(Json.write(glue.document(Instant.EPOCH)));
    Fields type = entity(document, "CloudComputingInstanceType", FLAVOR + name);
    assertEquals(1, type.count("CPU"));
    assertEquals(64, type.count("RAM"));
    assertEquals(List.of(share), type.object("Associations").texts("Share"));
    assertEquals(
        List.of(type.text("ID") + "_gpu"),
        type.object("Associations").texts("CloudComputingVirtualAccelerator"));
    Fields gpus = entity(document, "CloudComputingVirtualAccelerator", FLAVOR + name + "_gpu");
    assertEquals(type.text("ID") + "_gpu", gpus.text("ID"));
    assertEquals(2, gpus.count("Number"));
    assertEquals("NVIDIA", gpus.text("Vendor"));
    assertEquals(141 << 10, gpus.count("Memory"));
    assertEquals(List.of("hopper"), gpus.texts("ComputeCapability"));
    Fields whose = document.objects("Share").getFirst();
    assertEquals(share, whose.text("ID"));
    assertEquals(1, whose.count("RunningVM"));
    assertEquals(1, whose.count("TotalVM"));
    Fields policy = document.objects("MappingPolicy").getFirst();
    assertEquals(List.of("VO:vo.example.org"), policy.texts("Rule"));
    delete(scene.token("alice", "demo"), machine);
  }

  @Test
  void aMachineThatWasMadeForALeaseEndsWithIt() throws Exception {
    InstantSource then = InstantSource.fixed(tape.begin());
    Keystone users = new Keystone(scene.account("alice", "demo"), TestOffice.rest(), then);
    LeaseMachines made = new LeaseMachines(users);
    String machine =
        made.make(
            new LeaseMachines.Wanted(
                "c0ffee000001", FLAVOR + name, image, "none", "#cloud-config\n{}"));
    String alice = scene.token("alice", "demo");
    Fields unused = scene.await(alice, machine, "ACTIVE");
    assertEquals(Optional.empty(), made.address(machine));
    made.suspend(machine);
    unused = scene.await(alice, machine, "SUSPENDED");
    made.resume(machine);
    unused = scene.await(alice, machine, "ACTIVE");
    LeaseMachines everybodys = new LeaseMachines(scene.keystone());
    assertEquals(List.of(), new OrphanMachines(everybodys, _ -> false).look());
    assertEquals(Optional.of("ACTIVE"), made.status(machine));
    List<String> done = new OrphanMachines(everybodys, "c0ffee000001"::equals).look();
    assertEquals(
        List.of("machine %s is deleted: its lease c0ffee000001 is over".formatted(machine)), done);
    scene.awaitGone(alice, machine);
    assertEquals(Optional.empty(), made.status(machine));
    made.delete(machine);
  }

  private static Fields entity(Fields document, String kind, String called) {
    return document.objects(kind).stream()
        .filter(one -> one.text("Name").equals(called))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void placementCountsThePool() throws Exception {
    String alice = scene.token("alice", "demo");
    List<String> machines = new ArrayList<>();
    machines.add(boot(alice, "first", "ACTIVE"));
    machines.add(boot(alice, "second", "ACTIVE"));
    String third = boot(alice, "third", "ERROR");
    String fault = scene.server(alice, third).object("fault").text("message");
    assertTrue(fault.startsWith("No valid host was found"), fault);
    machines.add(third);
    for (String machine : machines) {
      delete(alice, machine);
    }
  }

  @Test
  void whatOthersUseIsReserved() throws Exception {
    String alice = scene.token("alice", "demo");
    LeaseOffice other = office.client(office.token(Role.USER, "slurm"));
    Lease job =
        other.request(
            new LeaseOffice.Request(
                new Standing(Role.USER, "slurm"),
                "7",
                "job 7",
                Part.whole(TestOffice.MODEL, 3),
                LIFE,
                Duration.ZERO));
    assertEquals(1, watch.look().size());
    assertEquals(List.of(), watch.look());
    String machine = boot(alice, "vm", "ERROR");
    other.release(job.id(), "it has ended");
    assertEquals(1, watch.look().size());
    delete(alice, machine);
    String next = boot(alice, "vm", "ACTIVE");
    delete(alice, next);
  }

  @Test
  void onlyNovaIsToldAndOnlyOfTheProjectsMachine() throws Exception {
    String alice = scene.token("alice", "demo");
    String bob = scene.token("bob", "other");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    String ofBob = exchange(bob).body().text("tenant");
    assertNotEquals(project, ofBob);
    assertEquals(Fields.NONE, vendordata(service, machine, ofBob));
    assertEquals(Fields.NONE, vendordata(service, machine, ""));
    assertRefused(403, alice, machine, project);
    assertRefused(403, bob, machine, project);
    assertRefused(401, "nonsense", machine, project);
    assertRefused(422, service, "../servers", project);
    assertEquals(List.of(), office.leases());
    // A token that is taken back is not believed for longer than it is remembered.
    String old = scene.token("nova", "service");
    scene.revoke(old);
    assertRefused(401, old, machine, project);
    // Bob names Alice's machine in a lease of his own, which is none of the machine's.
    Lease forged =
        office
            .client(exchange(bob).body().text("token"))
            .request(
                new LeaseOffice.Request(
                    new Standing(Role.USER, ofBob),
                    machine,
                    "nova vm",
                    Part.whole(TestOffice.MODEL, 2),
                    LIFE,
                    Duration.ZERO));
    Fields told = vendordata(service, machine, project);
    assertNotEquals(forged.id(), told.text("lease"));
    assertEquals(project, office.client().find(told.text("lease")).tenant());
    watch.look();
    assertEquals(2, office.leases().size(), "nobody ends what is not his");
    delete(alice, machine);
  }

  private void assertRefused(int status, String token, String machine, String project) {
    RestException refused =
        assertThrows(RestException.class, () -> vendordata(token, machine, project));
    assertEquals(status, refused.status(), refused.getMessage());
  }

  @Test
  void aTokenOfKeystonesIsOneOfItsProjectsTenant() throws Exception {
    String alice = scene.token("alice", "demo");
    RestAnswer answer = exchange(alice);
    assertEquals(201, answer.status());
    Fields given = answer.body();
    assertEquals("user", given.text("role"));
    assertEquals(given, exchange(alice).body(), "asking again makes no other one");
    Lease lease =
        office
            .client(given.text("token"))
            .request(
                new LeaseOffice.Request(
                    new Standing(Role.USER, given.text("tenant")),
                    "",
                    "by hand",
                    Part.whole(TestOffice.MODEL, 1),
                    LIFE,
                    Duration.ZERO));
    assertEquals(given.text("tenant"), lease.tenant());
    String bobs = exchange(scene.token("bob", "other")).body().text("token");
    assertEquals(List.of(), office.client(bobs).leases());
    RestException refused =
        assertThrows(RestException.class, () -> office.client(bobs).find(lease.id()));
    assertEquals(404, refused.status());
    assertEquals(401, assertThrows(RestException.class, () -> exchange("x" + alice)).status());
  }

  @Test
  void aLeaseFollowsItsMachine() throws Exception {
    String alice = scene.token("alice", "demo");
    String admin = scene.token("admin", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    String lease = vendordata(service, machine, project).text("lease");
    for (String[] step :
        new String[][] {
          {"reboot", "ACTIVE"},
          {"pause", "PAUSED"},
          {"unpause", "ACTIVE"},
          {"suspend", "SUSPENDED"},
          {"resume", "ACTIVE"},
        }) {
      act(admin, machine, step[0], step[1]);
      watch.look();
      assertEquals(lease, only().id(), step[0]);
      boolean runs = step[1].equals("ACTIVE");
      assertEquals(runs, only().hasGpus(), step[0] + " " + only());
      assertEquals(!runs, only().isHeld(), step[0] + " " + only());
    }
    act(alice, machine, "os-stop", "SHUTOFF");
    assertEnded(machine, watch.look());
    act(alice, machine, "os-start", "ACTIVE");
    String second = vendordata(service, machine, project).text("lease");
    assertNotEquals(lease, second);
    act(alice, machine, "shelve", "SHELVED_OFFLOADED");
    assertEnded(machine, watch.look());
    assertEquals(Fields.NONE, vendordata(service, machine, project));
    act(alice, machine, "unshelve", "ACTIVE");
    assertEquals(2, vendordata(service, machine, project).count("gpus"));
    delete(alice, machine);
    assertEnded(machine, watch.look());
  }

  private void act(String token, String machine, String what, String status) throws Exception {
    if (what.equals("reboot")) {
      Fields unused =
          nova(
              token,
              "POST",
              "/servers/" + machine + "/action",
              Map.of("reboot", Map.of("type", "HARD")));
    } else {
      scene.act(token, machine, what);
    }
    Fields unused = scene.await(token, machine, status);
  }

  /** A hint has a machine be looked at, and Nova says what is so. */
  @Test
  void whatIsHeardIsLookedAtAndNotBelieved() throws Exception {
    String alice = scene.token("alice", "demo");
    String admin = scene.token("admin", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String lease = vendordata(service, machine, project(alice, machine)).text("lease");
    // Forged: it is neither deleted nor paused.
    assertEquals(List.of(), watch.look(machine));
    act(admin, machine, "pause", "PAUSED");
    assertEquals(List.of("lease " + lease + " is put aside with its machine"), watch.look(machine));
    act(admin, machine, "unpause", "ACTIVE");
    assertEquals(
        List.of("lease " + lease + " is brought back with its machine"), watch.look(machine));
    assertEquals(lease, only().id());
    delete(alice, machine);
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    try (HeardMachines heard = new HeardMachines(machines, watch, done::add)) {
      heard.start();
      // Of one that has no lease Nova is not asked: the tape has no such answer.
      heard.hear("01234567-89ab-cdef-0123-456789abcdef");
      heard.hear(machine);
      String line = done.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      assertNotNull(line, "nothing was done");
      assertEnded(machine, List.of(line));
    }
  }

  @Test
  void aMachineHasAPartOfAGpu() throws Exception {
    String alice = scene.token("alice", "demo");
    String service = scene.token("nova", "service");
    Flavor part = new Flavor("cg1.part" + name, 1, 64, 1, 1, 80, "h200");
    nova.makeFlavor(part.name(), 1, 64, 1, part.specs(models()));
    String flavor = flavor(alice, part.name());
    String machine = scene.boot(alice, "part", flavor, image);
    Fields unused = scene.await(alice, machine, "ACTIVE");
    Fields told = vendordata(service, machine, project(alice, machine));
    assertEquals(1, told.count("gpus"));
    assertEquals(80L << 30, told.count("memory"));
    assertEquals(List.of(), watch.look());
    assertEquals(told.text("lease"), only().id());
    assertEquals(80L << 30, only().memory());
    // The GPU has 61 GiB left, and the three others are whole ones.
    String more = scene.boot(alice, "more", flavor, image);
    unused = scene.await(alice, more, "ERROR");
    String whole = boot(alice, "whole", "ACTIVE");
    assertEquals(2, vendordata(service, whole, project(alice, whole)).count("gpus"));
    assertEquals(2, office.leases().stream().filter(Lease::hasGpus).count());
    delete(alice, more);
    delete(alice, whole);
    delete(alice, machine);
    assertEquals(2, watch.look().size());
    assertEquals(List.of(), office.leases());
  }

  private List<Fields> stale(String token) throws IOException {
    URI where = URI.create(endpoint.uri() + "/v1/stale");
    return TestOffice.rest()
        .ask("GET", where, Map.of("X-Auth-Token", token), null)
        .body()
        .objects("machines");
  }

  @Test
  void machinesThatDoNotUseWhatTheyHoldAreListed() throws Exception {
    String alice = scene.token("alice", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    String lease = vendordata(service, machine, project).text("lease");
    assertEquals(List.of(), watch.look());
    Fields row = stale(service).getFirst();
    assertEquals(machine, row.text("machine"));
    assertEquals(project, row.text("project"));
    assertEquals(lease, row.text("lease"));
    assertEquals("granted", row.text("state"));
    assertEquals(2, row.count("gpus"));
    assertTrue(row.flag("occupies"));
    Instant granted = office.client().find(lease).granted().orElseThrow();
    assertEquals(granted, Instant.parse(row.text("since")));
    assertEquals(
        403, assertThrows(RestException.class, () -> stale(alice)).status(), "it is no user's");
    act(alice, machine, "os-stop", "SHUTOFF");
    assertEnded(machine, watch.look());
    row = stale(service).getFirst();
    assertEquals("none", row.text("state"));
    assertEquals("SHUTOFF", row.text("status"));
    assertEquals("", row.text("since"));
    delete(alice, machine);
    assertEquals(List.of(), stale(service));
  }

  /** GPUs are not the host's: a machine that moves keeps them. */
  @Test
  void aLeaseMovesWithItsMachine() throws Exception {
    String alice = scene.token("alice", "demo");
    String admin = scene.token("admin", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    String lease = vendordata(service, machine, project).text("lease");
    act(alice, machine, Map.of("rebuild", Map.of("imageRef", image)));
    assertStays(alice, service, machine, "ACTIVE", lease);
    String host = scene.server(admin, machine).text("OS-EXT-SRV-ATTR:host");
    act(admin, machine, Ordered.of("migrate", null));
    // While it can be taken back, Placement has an allocation more, which is no machine's.
    assertStays(alice, service, machine, "VERIFY_RESIZE", lease);
    assertNotEquals(host, scene.server(admin, machine).text("OS-EXT-SRV-ATTR:host"));
    act(admin, machine, Ordered.of("confirmResize", null));
    assertStays(alice, service, machine, "ACTIVE", lease);
    // The scheduler chooses: with a host that is named Placement leaves sharing providers out.
    act(
        admin,
        machine,
        Map.of("os-migrateLive", Ordered.of("host", null, "block_migration", "auto")));
    assertStays(alice, service, machine, "ACTIVE", lease);
    assertEquals(host, scene.server(admin, machine).text("OS-EXT-SRV-ATTR:host"));
    delete(alice, machine);
    assertEnded(machine, watch.look());
  }

  @Test
  void aLeaseOutlivesItsMachinesHost() throws Exception {
    String alice = scene.token("alice", "demo");
    String admin = scene.token("admin", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String lease = vendordata(service, machine, project(alice, machine)).text("lease");
    String host = scene.server(admin, machine).text("OS-EXT-SRV-ATTR:host");
    String down = computeService(admin, host);
    // It stays so: Nova wants it to begin anew before it is used again.
    Fields unused = nova(admin, "PUT", "/os-services/" + down, Map.of("forced_down", true));
    act(admin, machine, Map.of("evacuate", Map.of()));
    scene.awaitHost(admin, machine, host);
    assertStays(alice, service, machine, "ACTIVE", lease);
    delete(alice, machine);
    assertEnded(machine, watch.look());
  }

  private void act(String token, String machine, Object what) throws IOException {
    Fields unused = nova(token, "POST", "/servers/" + machine + "/action", what);
  }

  private void assertStays(
      String alice, String service, String machine, String status, String lease) throws Exception {
    Fields unused = scene.await(alice, machine, status);
    assertEquals(List.of(), watch.look());
    assertEquals(List.of(), watch.look());
    assertEquals(lease, vendordata(service, machine, project(alice, machine)).text("lease"));
    assertEquals(lease, only().id());
  }

  private String computeService(String admin, String host) throws IOException {
    String path = "/os-services?binary=nova-compute&host=" + host;
    return nova(admin, "GET", path, null).objects("services").getFirst().text("id");
  }

  /** Another number of GPUs is another lease, whose token the machine finds when it has begun. */
  @Test
  void aResizedMachineHasWhatItsFlavorSays() throws Exception {
    String alice = scene.token("alice", "demo");
    String service = scene.token("nova", "service");
    String machine = boot(alice, "vm", "ACTIVE");
    String project = project(alice, machine);
    String lease = vendordata(service, machine, project).text("lease");
    Flavor one = new Flavor("cg1.small" + name, 1, 64, 1, 1, 0, "h200");
    nova.makeFlavor(one.name(), 1, 64, 1, one.specs(models()));
    act(alice, machine, Map.of("resize", Map.of("flavorRef", flavor(alice, one.name()))));
    Fields unused = scene.await(alice, machine, "VERIFY_RESIZE");
    assertEquals(List.of(), watch.look(), "it may be between two of Nova's steps");
    assertEquals(1, watch.look().size());
    assertEquals(List.of(), office.leases());
    Fields told = vendordata(service, machine, project);
    assertNotEquals(lease, told.text("lease"));
    assertEquals(1, told.count("gpus"));
    act(alice, machine, Ordered.of("confirmResize", null));
    unused = scene.await(alice, machine, "ACTIVE");
    assertEquals(List.of(), watch.look());
    assertEquals(told.text("lease"), only().id());
    delete(alice, machine);
    assertEnded(machine, watch.look());
  }
}
