/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the capabilities of communicators: those of the runtime, and two of plug-ins, which the
 * runtime knows nothing of.
 */
#include "fake.h"
#include "link/vsock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const ob_communicator *of(const char *uri) {
    endpoint to = {0};
    snprintf(to.uri, sizeof to.uri, "%s", uri);
    return communicator_of(&to);
}

static enum ob_sharing sharing(const char *uri) {
    endpoint to = {0};
    snprintf(to.uri, sizeof to.uri, "%s", uri);
    return sharing_of(&to);
}

static void this_machine_vouches_shares_and_passes(void) {
    CHECK(of("unix:/a")->vouches && of("unix:/a")->passes &&
          of("unix:/a")->distance == OB_SAME_MACHINE);
    CHECK(of("shm:/a")->vouches && of("shm:/a")->passes &&
          of("shm:/a")->distance == OB_SAME_MACHINE);
    CHECK(sharing("unix:/a") == OB_SHARE_WHERE_POSSIBLE && sharing("shm:/a") == OB_SHARE_ALWAYS);
    setenv("OUTBOARD_SHM", "0", 1);
    CHECK(sharing("unix:/a") == OB_SHARE_NEVER && sharing("shm:/a") == OB_SHARE_ALWAYS);
}

static bool can_nothing(const char *uri) {
    const ob_communicator *c = of(uri);
    return !c->vouches && !c->passes && sharing(uri) == OB_SHARE_NEVER &&
           c->distance != OB_SAME_MACHINE;
}

/* The companion of relay: is at a Unix socket, and not whoever answers behind it. */
static void the_network_can_nothing_of_that(void) {
    CHECK(can_nothing("virtio:a") && of("virtio:a")->distance == OB_HYPERVISOR);
    CHECK(can_nothing("xen:0") && of("xen:0")->distance == OB_HYPERVISOR &&
          !of("xen:0")->companion);
    CHECK(can_nothing("vsock://") && of("vsock://")->distance == OB_HYPERVISOR &&
          of("tcp://h")->distance == OB_NETWORK);
    CHECK(can_nothing("tcp://h") && can_nothing("relay:/a") && can_nothing("tls://h") &&
          can_nothing("ssh://h"));
    CHECK(of("tls://h")->companion && of("ssh://h")->companion && of("virtio:a")->companion &&
          !of("tcp://h")->companion && !of("relay:/a")->companion);
}

static void a_tunnel_vouches_and_may_break(void) {
    const ob_communicator *c = of("tunnel:/a");
    CHECK(c->vouches && !c->passes && sharing("tunnel:/a") == OB_SHARE_NEVER &&
          c->distance == OB_NETWORK);
}

/* People know what they have named, and no socket in a folder for temporary files. */
static void a_relay_has_the_name_of_what_is_behind_it(void) {
    const endpoint relay = {.uri = "relay:/t/a.sock", .found = "--on tls://h:1"},
                   own = {.uri = "relay:/t/a.sock", .found = "the variable OUTBOARD"},
                   direct = {.uri = "tcp://h", .found = "--on tls://h:1"};
    CHECK(strcmp(backend_name(&relay), "tls://h:1") == 0);
    CHECK(strcmp(backend_name(&own), own.uri) == 0);
    CHECK(strcmp(backend_name(&direct), direct.uri) == 0);
}

static void what_is_not_there_can_nothing(void) {
    CHECK(can_nothing("nowhere:/a") && can_nothing("/a") && can_nothing("") &&
          can_nothing("unixes:/a"));
}

/* ---- vsock: nothing here connects over it, as the peer would be the hypervisor of this machine */

static bool is(const char *rest, uint32_t cid, uint32_t port) {
    vsock_address address;
    return vsock_parse(rest, &address) && address.cid == cid && address.port == port;
}

static void an_address_of_vsock(void) {
    static const uint8_t kernels[] = {40, 0, 0, 0, 0x34, 0x3a, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0};
    vsock_address address;
    CHECK(is("//", 2, 14900) && is("//3", 3, 14900) && is("//:7", 2, 7) &&
          is("//4294967295:65535", UINT32_MAX, 65535));
    CHECK(vsock_parse("//3", &address) && sizeof address == sizeof kernels &&
          memcmp(&address, kernels, sizeof kernels) == 0);
}

static void what_is_no_address_of_vsock(void) {
    const char *wrong[] = {
        "",     "3",    "/3",   "//host",  "//3:", "//:",   "//3:x", "//3:65536", "//4294967296",
        "//-1", "//+3", "// 3", "//3:7:8", "//3/", "//3:7/"};
    vsock_address address;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!vsock_parse(wrong[i], &address));
}

static void a_wrong_address_of_vsock_says_what_is_expected(void) {
    fresh_folder();
    setenv("OUTBOARD", "vsock://gpu", 1);
    divert(STDERR_FILENO);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "'gpu' is not [CID][:PORT]") != NULL);
}

/* ---- plug-ins -------------------------------------------------------------------------------- */

static fake *start(fake_script script, const char *scheme) {
    char uri[32];
    fake *f = fake_start(script, true);
    unsetenv("OUTBOARD_TOKEN");
    snprintf(uri, sizeof uri, "%s:%s", scheme, strrchr(f->uri, ':') + 1);
    setenv("OUTBOARD", uri, 1);
    return f;
}

static int common;

static void shares_what_both_have(fake *f) {
    f->region = common;
    f->shm = true;
    fake_read_hello(f);
    CHECK(f->shm);
    fake_welcome(f, NULL);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void calls_travel_through_memory_that_a_plug_in_knows(void) {
    char number[16];
    uint64_t back = 0;
    region_layout layout = region_usual();
    fresh_folder();
    common = region_create(&layout);
    snprintf(number, sizeof number, "%d", common);
    setenv("FAKE_REGION", number, 1);
    start(shares_what_both_have, "fake");
    CHECK(call_echo(7, &back) == 0 && back == 7);
    CHECK(session_here()->shared);
    CHECK(session_here()->distant && !ob_passes());
}

static void without_that_memory_it_says_so(void) {
    region_layout layout = region_usual();
    fresh_folder();
    common = region_create(&layout);
    unsetenv("FAKE_REGION");
    divert(STDERR_FILENO);
    start(shares_what_both_have, "fake");
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "it does not share memory with this program") != NULL);
}

static void welcomes_anybody(fake *f) {
    fake_read_hello(f);
    CHECK((f->hello[64] & 1) == 0);
    fake_welcome(f, NULL);
    CHECK(!fake_get(f, f->body, 1));
}

/* Though the operating system would say who answers at its socket. */
static void one_that_says_nothing_does_not_vouch(void) {
    fresh_folder();
    divert(STDERR_FILENO);
    start(welcomes_anybody, "bare");
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "did not prove that it knows the token") != NULL);
}

static void neither_does_who_is_behind_a_relay(void) {
    char uri[160];
    fresh_folder();
    divert(STDERR_FILENO);
    fake *f = fake_start(welcomes_anybody, false);
    snprintf(uri, sizeof uri, "relay:%s", f->uri + strlen("unix:"));
    setenv("OUTBOARD", uri, 1);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "did not prove that it knows the token") != NULL);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"this machine vouches, shares and passes", this_machine_vouches_shares_and_passes},
            {"the network can nothing of that", the_network_can_nothing_of_that},
            {"a tunnel vouches and may break", a_tunnel_vouches_and_may_break},
            {"a relay has the name of what is behind it",
             a_relay_has_the_name_of_what_is_behind_it},
            {"what is not there can nothing", what_is_not_there_can_nothing},
            {"an address of vsock", an_address_of_vsock},
            {"what is no address of vsock", what_is_no_address_of_vsock},
            {"a wrong address of vsock says what is expected",
             a_wrong_address_of_vsock_says_what_is_expected},
            {"calls travel through memory that a plug-in knows",
             calls_travel_through_memory_that_a_plug_in_knows},
            {"without that memory it says so", without_that_memory_it_says_so},
            {"one that says nothing does not vouch", one_that_says_nothing_does_not_vouch},
            {"neither does who is behind a relay", neither_does_who_is_behind_a_relay},
            {0},
        },
        argc, argv);
}
