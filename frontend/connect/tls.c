/* SPDX-License-Identifier: Apache-2.0 */
#include "tls.h"

#include "link/link.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { SHAKING_MS = 30000, READ_ROOM = 128 << 10 };

static bool fail(char *why, size_t limit, const char *what) {
    snprintf(why, limit, "%s", what);
    return false;
}

/* ---- the URI --------------------------------------------------------------------------------- */

static int digit(char c) {
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

/* 64 hexadecimal digits, with or without colons. */
static bool take_fingerprint(tls_backend *to, const char *from, const char *end) {
    size_t digits = 0;
    for (; from < end && digits <= (size_t)2 * FINGERPRINT; from++) {
        if (*from == ':')
            continue;
        if (digit(*from) < 0 || digits == (size_t)2 * FINGERPRINT)
            return false;
        to->fingerprint[digits / 2] = (uint8_t)(to->fingerprint[digits / 2] << 4 | digit(*from));
        digits++;
    }
    to->pinned = true;
    return digits == (size_t)2 * FINGERPRINT;
}

bool tls_parse(tls_backend *to, const char *uri, char *why, size_t limit) {
    static const char scheme[] = "tls://", expected[] = "expected tls://[SHA256@]HOST[:PORT]";
    char authority[300];
    *to = (tls_backend){0};
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return fail(why, limit, expected);
    uri += sizeof scheme - 1;
    const char *at = strchr(uri, '@');
    if (at != NULL && !take_fingerprint(to, uri, at))
        return fail(
            why, limit,
            "what is before the @ is not the SHA-256 of a certificate, 64 hexadecimal digits");
    if (at != NULL)
        uri = at + 1;
    size_t length = strcspn(uri, "/");
    if ((uri[length] == '/' && uri[length + 1] != '\0') || length >= sizeof authority)
        return fail(why, limit, expected);
    memcpy(authority, uri, length);
    authority[length] = '\0';
    return split_authority(authority, ":14901", to->host, sizeof to->host, to->port,
                           sizeof to->port) ||
           fail(why, limit, expected);
}

/* ---- what went wrong ------------------------------------------------------------------------- */

static bool is_reason(unsigned long error, unsigned long reason) {
    return (error & 0xfff) == reason || (error & 0x7fffff) == reason;
}

static bool failed(char *why, size_t limit, const char *what) {
    unsigned long error = lib.next_error();
    if (is_reason(error, OPENSSL_REASON_NOT_TLS))
        return fail(why, limit, "it does not speak TLS (tcp:// has port 14900, tls:// 14901)");
    if (is_reason(error, OPENSSL_REASON_WANTS_CERTIFICATE))
        return fail(why, limit,
                    "it wants a certificate of the client: --cert and --key, or OUTBOARD_CERT and "
                    "OUTBOARD_KEY, name one");
    /* The system's own errors have no text there. */
    const char *reason = error != 0 ? lib.reason(error) : NULL;
    if (reason == NULL)
        reason = errno != 0 ? strerror(errno) : "the peer has gone";
    snprintf(why, limit, "%s: %s", what, reason);
    return false;
}

static bool distrusted(const openssl_connection *tls, char *why, size_t limit) {
    long result = lib.verify_result(tls);
    switch (result) {
    case 0:
        return false;
    case OPENSSL_EXPIRED:
        fail(why, limit, "its certificate has expired");
        break;
    case OPENSSL_NOT_YET_VALID:
        fail(why, limit, "its certificate is not valid yet: is the clock right?");
        break;
    case OPENSSL_OTHER_NAME:
    case OPENSSL_OTHER_ADDRESS:
        fail(why, limit, "its certificate is another host's: the name in the URI is not in it");
        break;
    default:
        snprintf(
            why, limit,
            "its certificate is not trusted (%s): --ca FILE or OUTBOARD_CA names whom to trust",
            lib.verify_text(result));
    }
    return true;
}

/* ---- connections ----------------------------------------------------------------------------- */

openssl_context *tls_prepare(const tls_backend *to, char *why, size_t limit) {
    if (!openssl_load(why, limit))
        return NULL;
    openssl_context *context = lib.context_new(lib.client_method());
    bool done = false;
    if (context == NULL ||
        lib.context_control(context, OPENSSL_CTRL_LOWEST, OPENSSL_TLS_1_3, NULL) != 1)
        fail(why, limit, "the system's OpenSSL has no TLS 1.3");
    else if (!to->pinned &&
             (to->authorities != NULL ? lib.authorities(context, to->authorities, NULL)
                                      : lib.default_authorities(context)) != 1)
        failed(why, limit, to->authorities != NULL ? to->authorities : "the system's authorities");
    else if (to->certificate != NULL && lib.certificate(context, to->certificate) != 1)
        failed(why, limit, to->certificate);
    else if (to->certificate != NULL &&
             (lib.key(context, to->key, OPENSSL_PEM) != 1 || lib.check_key(context) != 1))
        failed(why, limit, to->key);
    else
        done = true;
    if (!done)
        return NULL;
    lib.context_control(context, OPENSSL_CTRL_MODE, OPENSSL_PARTIAL_WRITE | OPENSSL_MOVING_BUFFER,
                        NULL);
    lib.context_control(context, OPENSSL_CTRL_READ_AHEAD, 1, NULL);
    lib.read_buffer(context, READ_ROOM);
    lib.verify(context, to->pinned ? OPENSSL_VERIFY_NONE : OPENSSL_VERIFY_PEER, NULL);
    return context;
}

/* The name is checked, and sent so that a host with several certificates knows which; an address is
 * checked alone. */
static bool set_host(openssl_connection *tls, const tls_backend *to) {
    struct in6_addr address;
    if (to->pinned && strchr(to->host, ':') == NULL)
        return true;
    if (inet_pton(AF_INET, to->host, &address) == 1 || inet_pton(AF_INET6, to->host, &address) == 1)
        return to->pinned || lib.set_address(lib.parameters(tls), to->host) == 1;
    lib.control(tls, OPENSSL_CTRL_HOST_NAME, 0, (void *)to->host);
    return lib.set_host(tls, to->host) == 1;
}

/* Waits for what the library waits for; false when time is up. */
static bool await(const tls_connection *c, int error, uint64_t end) {
    uint64_t now = now_ns();
    struct pollfd socket = {.fd = c->fd,
                            .events = error == OPENSSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN};
    if (now >= end)
        return false;
    int ready = poll(&socket, 1, (int)((end - now) / 1000000) + 1);
    return ready > 0 || (ready < 0 && errno == EINTR);
}

/* Until a step of the library is done. Returns the step's last result, or 0 when time is up. */
static int do_within(tls_connection *c, int (*step)(openssl_connection *), uint64_t end) {
    for (;;) {
        lib.clear_errors();
        errno = 0;
        int result = step(c->tls);
        if (result > 0)
            return result;
        int error = lib.error(c->tls, result);
        if (error != OPENSSL_ERROR_WANT_READ && error != OPENSSL_ERROR_WANT_WRITE)
            return error == OPENSSL_ERROR_ZERO_RETURN ? 1 : -1;
        if (!await(c, error, end))
            return 0;
    }
}

static bool is_pinned(const tls_connection *c, const tls_backend *to, char *why, size_t limit) {
    uint8_t seen[FINGERPRINT] = {0};
    char digits[2 * FINGERPRINT + 1] = "";
    unsigned bytes = 0;
    openssl_certificate *its = lib.peer(c->tls);
    bool known = its != NULL && lib.digest(its, lib.sha256(), seen, &bytes) == 1 &&
                 bytes == FINGERPRINT;
    lib.certificate_free(its);
    if (known && memcmp(seen, to->fingerprint, FINGERPRINT) == 0)
        return true;
    for (int i = 0; i < FINGERPRINT; i++)
        snprintf(digits + 2 * i, 3, "%02x", seen[i]);
    snprintf(why, limit, "its certificate is not the pinned one, but %s", digits);
    return false;
}

static bool shake(tls_connection *c, const tls_backend *to, char *why, size_t limit) {
    int result = do_within(c, lib.connect, now_ns() + SHAKING_MS * UINT64_C(1000000));
    if (result == 0)
        return fail(why, limit, "the handshake takes too long");
    if (result < 0)
        return (!to->pinned && distrusted(c->tls, why, limit))
                   ? false
                   : failed(why, limit, "no encrypted connection");
    return !to->pinned || is_pinned(c, to, why, limit);
}

static bool connect_within(int milliseconds, tls_connection *c, openssl_context *context,
                           const tls_backend *to, char *why, size_t limit) {
    endpoint tcp = {.fd = -1, .connect_ms = milliseconds};
    bool six = strchr(to->host, ':') != NULL;
    snprintf(tcp.uri, sizeof tcp.uri, "tcp://%s%s%s:%s", six ? "[" : "", to->host, six ? "]" : "",
             to->port);
    *c = (tls_connection){.fd = connect_to(&tcp, why, limit).fd};
    if (c->fd < 0)
        return false;
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    c->tls = lib.connection_new(context);
    if (c->tls == NULL || lib.set_socket(c->tls, c->fd) != 1 || !set_host(c->tls, to)) {
        failed(why, limit, "no encrypted connection");
        tls_close(c);
        return false;
    }
    if (shake(c, to, why, limit))
        return true;
    tls_close(c);
    return false;
}

bool tls_connect(tls_connection *c, openssl_context *context, const tls_backend *to, char *why,
                 size_t limit) {
    return connect_within(0, c, context, to, why, limit);
}

static int read_nothing(openssl_connection *tls) {
    char byte;
    return lib.read(tls, &byte, 1);
}

bool tls_check(openssl_context *context, const tls_backend *to, char *why, size_t limit) {
    tls_connection c;
    if (!connect_within(answer_expected.all_ms, &c, context, to, why, limit))
        return false;
    /* The backend judges the client's certificate only after the handshake. */
    lib.shutdown(c.tls);
    int result = do_within(&c, read_nothing, now_ns() + SHAKING_MS * UINT64_C(1000000));
    bool wanted = result > 0;
    if (result == 0)
        fail(why, limit, "it does not answer");
    if (result < 0)
        failed(why, limit, "it refuses this client");
    tls_close(&c);
    return wanted;
}

void tls_close(tls_connection *c) {
    if (c->tls != NULL)
        lib.connection_free(c->tls);
    close(c->fd);
}
