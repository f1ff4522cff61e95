/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the runtime's work without the backend: handles, address ranges, finding the backend and
 * the token.
 */
#include "fake.h"
#include "link/virtio.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- handles --------------------------------------------------------------------------------- */

static uint32_t index_of(uint64_t handle) { return handle & 0xfffff; }
static uint32_t generation_of(uint64_t handle) { return (handle >> 20) & 0x3fff; }

static void minted(void) {
    uint64_t first = ob_handle_mint(5), second = ob_handle_mint(5), other = ob_handle_mint(6);
    CHECK(index_of(first) == 1 && index_of(second) == 2 && index_of(other) == 1);
    CHECK((first >> 34 & 63) == 5 && (other >> 34 & 63) == 6 && (first >> 40 & 1) == 0 &&
          first >> 47 == 0);
    CHECK(ob_handle_plausible(first, 1ULL << 5) && !ob_handle_plausible(first, 1ULL << 6));
    CHECK(ob_handle_plausible(first, 1ULL << 5 | 1ULL << 6));
    CHECK(!ob_handle_plausible(0, ~0ULL) && !ob_handle_plausible(first | 1ULL << 50, ~0ULL) &&
          !ob_handle_plausible(UINT64_MAX, ~0ULL));
    CHECK(!ob_handle_plausible(first + 100, ~0ULL) &&
          !ob_handle_plausible(first ^ 1ULL << 41, ~0ULL));
}

/* Such as those of a program, with 32 random bits in them, and those of a device's memory. */
static void addresses_are_no_handles(void) {
    static const uint64_t STARTS[] = {0x400000, 0x200000000000, 0x2a0000000000, 0x555555554000,
                                      0x655555554000, 0x6ffffff00000, 0x7fffff000000};
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        for (uint64_t kind = 0; kind < 64; kind++)
            CHECK(!ob_handle_formed(STARTS[i] ^ kind << 34, ~0ULL));
    CHECK(ob_handle_formed(ob_handle_mint(5), 1 << 5) && !ob_handle_formed(0, ~0ULL));
}

static void retired(void) {
    uint64_t before = ob_handle_mint(5);
    for (int i = 1; i < 1000; i++) {
        ob_handle_retire(before);
        CHECK(!ob_handle_plausible(before, ~0ULL));
        ob_handle_retire(before);
        uint64_t after = ob_handle_mint(5);
        CHECK(after != before && index_of(after) == index_of(before) &&
              generation_of(after) == (uint32_t)i);
        before = after;
    }
}

static void of_the_backend(void) {
    uint64_t tag = ob_handle_mint(5) >> 41, there = tag << 41 | 1ULL << 40 | 5ULL << 34 | 77;
    CHECK(ob_handle_plausible(there, 1 << 5) && !ob_handle_plausible(there, 1 << 4));
    ob_handle_retire(there);
    CHECK(ob_handle_plausible(there, 1 << 5));
    CHECK(!ob_handle_plausible(there ^ 1ULL << 41, 1 << 5));
}

static void reserved_indexes(void) {
    ob_handle_reserve(1, 64);
    CHECK(index_of(ob_handle_mint(1)) == 65);
    CHECK(ob_handle_plausible(1ULL << 34 | 64, 1 << 1) &&
          !ob_handle_plausible(1ULL << 34 | 66, 1 << 1));
    CHECK(!ob_handle_plausible(1ULL << 34, 1 << 1));
}

static void as_many_as_there_may_be(void) {
    uint64_t last = 0;
    for (int i = 1; i < 1 << 20; i++) {
        uint64_t handle = ob_handle_mint(9);
        CHECK(handle > last);
        last = handle;
    }
    CHECK(ob_handle_mint(9) == 0);
    ob_handle_retire(last);
    CHECK(ob_handle_mint(9) != 0);
}

static void *mint_many(void *kind) {
    for (int i = 0; i < 20000; i++) {
        uint64_t handle = ob_handle_mint((uint32_t)(uintptr_t)kind);
        CHECK(ob_handle_plausible(handle, 1ULL << (uintptr_t)kind));
        if (i % 3 != 0)
            ob_handle_retire(handle);
    }
    return NULL;
}

static void by_several_threads(void) {
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, mint_many, (void *)(7 + i / 2)) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* ---- address ranges -------------------------------------------------------------------------- */

#define DEVICE 0x7ea000000000ULL /* which sanitizers leave to the program, too */
#define MIB (1ULL << 20)

static bool is_free(uint64_t address) {
    void *at = (void *)(uintptr_t)address;
    void *got = mmap(at, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == at)
        munmap(got, 4096);
    return got == at;
}

static void ranges(void) {
    CHECK(is_free(DEVICE));
    CHECK(ob_reserve(DEVICE + 100, 1000));
    CHECK(!is_free(DEVICE) && !is_free(DEVICE + 2 * MIB - 4096) && is_free(DEVICE + 2 * MIB) &&
          is_free(DEVICE - 4096));
    CHECK(ob_reserve(DEVICE, 2 * MIB) && is_free(DEVICE + 2 * MIB));
    CHECK(ob_reserve(DEVICE + 2 * MIB - 1, 2));
    CHECK(!is_free(DEVICE + 2 * MIB) && is_free(DEVICE + 4 * MIB));
    CHECK(ob_reserve(DEVICE + 8 * MIB, 1) && is_free(DEVICE + 6 * MIB));
    CHECK(ob_reserve(DEVICE - 2 * MIB, 20 * MIB)); /* around all of them */
    for (uint64_t at = DEVICE - 2 * MIB; at < DEVICE + 18 * MIB; at += 2 * MIB)
        CHECK(!is_free(at));
    CHECK(ob_reserve(DEVICE, 64ULL << 30) && !is_free(DEVICE + (63ULL << 30)));
}

static void taken_ranges(void) {
    void *at = (void *)(uintptr_t)(DEVICE + 4 * MIB);
    CHECK(mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
               -1, 0) == at);
    *(volatile char *)at = 1;
    CHECK(!ob_reserve(DEVICE, 8 * MIB) && !ob_reserve(DEVICE + 4 * MIB, 1));
    CHECK(*(volatile char *)at == 1);
    /* what was mapped on the way is known */
    CHECK(ob_reserve(DEVICE, 4 * MIB));
    /* beside the program's page, to the page */
    CHECK(ob_reserve(DEVICE + 4 * MIB + 8192, 4096));
    CHECK(!is_free(DEVICE + 4 * MIB + 8192) && is_free(DEVICE + 4 * MIB + 4096) &&
          is_free(DEVICE + 4 * MIB + 12288));
    munmap(at, 4096);
    CHECK(ob_reserve(DEVICE, 8 * MIB));                         /* the rest */
    CHECK(!is_free(DEVICE + 4 * MIB));
}

static void impossible_ranges(void) {
    CHECK(ob_reserve(DEVICE, 0));
    CHECK(!ob_reserve(UINT64_MAX - 100, 4096) && (UNDER_TSAN || !ob_reserve(1ULL << 47, 4096)));
    CHECK(!ob_reserve(DEVICE, UINT64_MAX) && !ob_reserve(UINT64_MAX, UINT64_MAX));
}

/* A backend that names one place twice has no memory of the program replaced. */
static void claimed_ranges(void) {
    CHECK(ob_claim(DEVICE, 8192) && !ob_claim(DEVICE, 8192) && !ob_claim(DEVICE + 8191, 1));
    CHECK(!ob_claim(DEVICE - 1, 2) && ob_claim(DEVICE - 1, 1) && ob_claim(DEVICE + 8192, 1));
    CHECK(ob_reserve(DEVICE, 8192));
    ob_unclaim(DEVICE);
    ob_unclaim(DEVICE + 100); /* never claimed */
    CHECK(ob_claim(DEVICE, 4096) && !ob_claim(DEVICE, 4096));
    CHECK(!ob_claim(0, 4096) && !ob_claim(DEVICE, 0) && !ob_claim(DEVICE, UINT64_MAX));
}

/* ---- finding --------------------------------------------------------------------------------- */

static char folder[64];

static void in_folder(char *to, const char *path) { snprintf(to, 256, "%s/%s", folder, path); }

static void make_folder(const char *path) {
    char whole[256];
    in_folder(whole, path);
    CHECK(mkdir(whole, 0700) == 0);
}

static void make_file(const char *path, const char *text) {
    char whole[256];
    in_folder(whole, path);
    write_file(whole, text);
}

static void make_places(void) {
    strcpy(folder, fresh_folder());
    make_folder("work");
    make_folder(".config");
    make_folder(".config/outboard");
    make_folder("run");
    make_folder("run/outboard");
    CHECK(chdir("work") == 0);
    setenv("XDG_RUNTIME_DIR", "", 1);
}

static bool finds(const char *uri) {
    ob_backend found;
    return ob_find_backend(&found) ? uri != NULL && strcmp(found.uri, uri) == 0 : uri == NULL;
}

/* A backend that greets nobody: it is there as long as its descriptor is open, its file longer. */
static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char whole[256];
    in_folder(whole, path);
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", whole);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(fd, 8) == 0);
    return fd;
}

static bool finds_no_other(void) {
    return finds(NULL) || finds("unix:/run/outboard/outboard.sock");
}

static void the_order_of_places(void) {
    char runtime[256], expected[300];
    make_places();
    in_folder(runtime, "run");
    CHECK(finds_no_other());
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    listen_at("run/outboard/outboard.sock");
    snprintf(expected, sizeof expected, "unix:%s/outboard/outboard.sock", runtime);
    CHECK(finds(expected));
    make_file(".config/outboard/outboard.properties", "# a comment = nothing\n\nother = 3\n"
                                                      "  backend = tcp://gpu:1  \n");
    CHECK(finds("tcp://gpu:1"));
    make_file("work/outboard.properties", "backend:unix:/here\nbackend=second");
    CHECK(finds("unix:/here"));
    setenv("OUTBOARD", "tcp://[::1]:9", 1);
    CHECK(finds("tcp://[::1]:9"));
    setenv("OUTBOARD", "", 1);
    CHECK(finds("unix:/here"));
}

/* After su, and by cron, a user has no runtime folder; what root has then is for all users. */
static void the_socket_of_a_port(void) {
    char expected[300], path[VIRTIO_PATH];
    make_places();
    CHECK(virtio_socket("outboard.0", true, path));
    CHECK(strcmp(path, "/run/outboard/virtio-outboard.0.sock") == 0);
    if (geteuid() == 0) {
        CHECK(!virtio_socket("outboard.0", false, path));
        CHECK(seteuid(65534) == 0);
    }
    snprintf(expected, sizeof expected, "%s/.local/state/outboard/run/virtio-outboard.0.sock",
             folder);
    CHECK(virtio_socket("outboard.0", false, path) && strcmp(path, expected) == 0);
    setenv("XDG_STATE_HOME", "/state", 1);
    CHECK(virtio_socket("outboard.0", false, path));
    CHECK(strcmp(path, "/state/outboard/run/virtio-outboard.0.sock") == 0);
    setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
    CHECK(virtio_socket("outboard.0", false, path));
    CHECK(strcmp(path, "/run/user/7/outboard/virtio-outboard.0.sock") == 0);
    memset(expected, 'x', VIRTIO_PATH);
    expected[VIRTIO_PATH] = '\0';
    setenv("XDG_RUNTIME_DIR", expected, 1);
    CHECK(!virtio_socket("outboard.0", false, path));
}

static void nobody_answers(void) {
    char runtime[256];
    make_places();
    in_folder(runtime, "run");
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    close(listen_at("run/outboard/outboard.sock"));
    CHECK(finds_no_other());
    in_folder(runtime, "run/outboard/outboard.sock");
    CHECK(unlink(runtime) == 0);
    make_file("run/outboard/outboard.sock", "");
    CHECK(finds_no_other());
}

static void the_configuration_folder(void) {
    char configuration[256];
    make_places();
    make_folder("elsewhere");
    make_folder("elsewhere/outboard");
    make_file("elsewhere/outboard/outboard.properties", "backend=tcp://elsewhere");
    make_file(".config/outboard/outboard.properties", "backend=tcp://home");
    CHECK(finds("tcp://home"));
    in_folder(configuration, "elsewhere");
    setenv("XDG_CONFIG_HOME", configuration, 1);
    CHECK(finds("tcp://elsewhere"));
}

static void files_of_gvirtus(void) {
    char home[256];
    make_places();
    make_folder("gvirtus");
    make_folder("gvirtus/etc");
    make_file("gvirtus/etc/gvirtus.properties", "communicator : afunix:///tmp/gvirtus:0666\n"
                                                "plugins : cudart,cublas\n");
    CHECK(finds_no_other());
    in_folder(home, "gvirtus");
    setenv("GVIRTUS_HOME", home, 1);
    CHECK(finds("unix:/tmp/gvirtus"));
    make_file("work/gvirtus.properties", "communicator: tcp://gpu:2222");
    CHECK(finds("tcp://gpu:2222"));
    make_file("work/gvirtus.properties", "communicator: afunix:///tmp/g:");
    CHECK(finds("unix:/tmp/g:"));
    make_file("work/outboard.properties", "backend: tcp://gpu:1");
    CHECK(finds("tcp://gpu:1"));
}

/* As one that another user has put into a folder of everybody's. */
static void files_of_others(void) {
    char path[256];
    make_places();
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "work/outboard.properties" : "work/gvirtus.properties";
        make_file(name, "backend=tcp://gpu:1\ncommunicator=tcp://gpu:1\n");
        CHECK(finds("tcp://gpu:1"));
        in_folder(path, name);
        CHECK(chmod(path, 0666) == 0);
        CHECK(finds_no_other());
        if (geteuid() == 0) {
            CHECK(chmod(path, 0644) == 0 && chown(path, 65534, 65534) == 0);
            CHECK(finds_no_other());
        }
        CHECK(unlink(path) == 0);
    }
}

static void odd_properties(void) {
    make_places();
    make_file("work/outboard.properties", "backend\n=x\nbackend=\nbackends=tcp://wrong\n"
                                          "!backend=tcp://wrong");
    CHECK(finds_no_other());
    char *large = malloc(5000);
    memset(large, 'x', 4999);
    large[4999] = '\0';
    setenv("OUTBOARD", large, 1);
    divert(STDERR_FILENO);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "neither unix:PATH, shm:PATH, vsock://[CID][:PORT], virtio:NAME, "
                             "xen:DOMID nor tcp://HOST[:PORT]") != NULL);
    free(large);
}

static void nothing_found(void) {
    make_places();
    if (access("/run/outboard/outboard.sock", F_OK) == 0)
        return;
    divert(STDERR_FILENO);
    CHECK(call_echo(1, NULL) == test_library.unavailable &&
          call_echo(1, NULL) == test_library.unavailable);
    const char *text = diverted();
    CHECK(strncmp(text, "outboard: no backend found", 26) == 0 &&
          strchr(text, '\n') == text + strlen(text) - 1);
    CHECK(strstr(text, "set OUTBOARD=") != NULL && strstr(text, "outboard run -- PROGRAM") != NULL);
}

static void the_token(void) {
    const char *digits = "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    char token[TOKEN_DIGITS + 1], runtime[256];
    make_places();
    in_folder(runtime, "run");
    CHECK(!find_token(token));
    make_file(".config/outboard/token",
              "  00112233445566778899AABBCCDDEEFF0123456789ABCDEF0123456789ABCDEF\r\n");
    CHECK(find_token(token) && strcmp(token, digits) == 0);
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    make_file("run/outboard/token",
              "0000000000000000000000000000000000000000000000000000000000000000\n");
    CHECK(find_token(token) && token[0] == '0' && token[63] == '0');
    setenv("OUTBOARD_TOKEN", "1111111111111111111111111111111111111111111111111111111111111111", 1);
    CHECK(find_token(token) && token[0] == '1');
    setenv("OUTBOARD_TOKEN", "1111", 1);
    CHECK(!find_token(token)); /* what is set wrongly is not passed over */
    setenv("OUTBOARD_TOKEN", "+111111111111111111111111111111111111111111111111111111111111111", 1);
    CHECK(!find_token(token));
}

static bool connects(const char *uri, const char *says) {
    char why[256] = "";
    endpoint to = {.fd = -1};
    snprintf(to.uri, sizeof to.uri, "%s", uri);
    carrier over = connect_to(&to, why, sizeof why);
    bool connected = carrier_is_there(over);
    carrier_close(&over);
    return !connected && strstr(why, says) != NULL;
}

static void uris(void) {
    char path[300] = "unix:/";
    memset(path + 6, 'x', 200);
    CHECK(connects("http://x", "neither") && connects("", "neither"));
    CHECK(connects("unix:/nonexistent/socket", "No such file") && connects(path, "longer than"));
    CHECK(connects("tcp://", "HOST:PORT") && connects("tcp://[::1", "HOST:PORT") &&
          connects("tcp://[::1]x", "HOST:PORT"));
    CHECK(connects("tcp://127.0.0.1:1", "refused") && connects("tcp://:14900", "HOST:PORT"));
    CHECK(connects("tcp://127.0.0.1:12345678901234567890", "HOST:PORT"));
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"handles are minted", minted},
            {"addresses are no handles", addresses_are_no_handles},
            {"retired handles are told apart", retired},
            {"handles of the backend", of_the_backend},
            {"reserved indexes", reserved_indexes},
            {"as many handles as there may be", as_many_as_there_may_be},
            {"handles by several threads", by_several_threads},
            {"ranges", ranges},
            {"taken ranges", taken_ranges},
            {"impossible ranges", impossible_ranges},
            {"ranges of the program's memory", claimed_ranges},
            {"the order of places", the_order_of_places},
            {"the socket of a port", the_socket_of_a_port},
            {"a socket that nobody answers at", nobody_answers},
            {"the configuration folder", the_configuration_folder},
            {"files of GVirtuS", files_of_gvirtus},
            {"files of others", files_of_others},
            {"odd properties", odd_properties},
            {"nothing found", nothing_found},
            {"the token", the_token},
            {"URIs", uris},
            {0},
        },
        argc, argv);
}
