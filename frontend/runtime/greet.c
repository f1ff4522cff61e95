/* SPDX-License-Identifier: Apache-2.0
 *
 * The greeting: PROTOCOL.md, "Greeting". The backend is hostile here too: every length is checked.
 */
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

enum {
    MAGIC = 0x4454424F,
    MESSAGE_CHALLENGE = 2,
    MESSAGE_PROOF = 3,
    MESSAGE_WELCOME = 4,
    MESSAGE_REFUSAL = 5,
    HELLO_FIXED = 80,
    LIBRARY_ENTRY = 64,
    WELCOME_FIXED = 88,
    WELCOME_ENTRY = 40,
    GREETING_SECONDS = 10,
    TOKEN_DIGITS = 64,
};

typedef struct greeting {
    int fd;
    char *why;
    size_t limit;
    uint8_t nonce[32];
    char token[128]; /* 64 hexadecimal digits, lower case: as they stand, the key of the proofs */
    uint8_t message[MESSAGE_LIMIT];
    uint32_t length;
    bool challenged;
    uint8_t expected[32];
} greeting;

/* Variables that are the vendor library's to honour and that the worker needs. */
static const char *const forwarded[] = {"CUDA_LAUNCH_BLOCKING=", "CUDA_MODULE_LOADING=", "CUDA_CACHE_", "CUDA_FORCE_PTX_JIT=", "CUDA_DISABLE_PTX_JIT="};

static bool fail(greeting *g, const char *why) {
    snprintf(g->why, g->limit, "%s", why);
    return false;
}

static bool write_all(int fd, const void *data, size_t bytes) {
    const uint8_t *from = data;
    while (bytes > 0) {
        ssize_t n = send(fd, from, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool read_all(int fd, void *data, size_t bytes) {
    uint8_t *to = data;
    while (bytes > 0) {
        ssize_t n = recv(fd, to, bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        bytes -= (size_t)n;
    }
    return true;
}

static void put32(uint8_t *to, uint32_t value) { memcpy(to, &value, 4); }

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

static bool random_bytes(uint8_t *to, size_t bytes) {
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool read_whole = fd >= 0 && read(fd, to, bytes) == (ssize_t)bytes;
    if (fd >= 0)
        close(fd);
    return read_whole;
}

static uint32_t put_libraries(uint8_t *to, uint32_t at) {
    uint32_t count = 0;
    for (const ob_library *library; (library = session_library(count)) != NULL; count++) {
        uint8_t *entry = to + at;
        snprintf((char *)entry, 24, "%s", library->name);
        put32(entry + 24, library->id);
        put32(entry + 28, library->level);
        memcpy(entry + 32, library->digest, sizeof library->digest);
        at += LIBRARY_ENTRY;
    }
    put32(to + 68, count);
    return at;
}

static uint32_t put_environment(uint8_t *to, uint32_t at) {
    uint32_t start = at;
    for (char **one = environ; *one != NULL; one++)
        for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
            size_t bytes = strlen(*one) + 1;
            if (strncmp(*one, forwarded[i], strlen(forwarded[i])) == 0 && at + bytes < MESSAGE_LIMIT / 2) {
                memcpy(to + at, *one, bytes);
                at += (uint32_t)bytes;
            }
        }
    put32(to + 72, at - start);
    return (uint32_t)align8(at);
}

static uint32_t put_name(uint8_t *to, uint32_t at) {
    ssize_t bytes = readlink("/proc/self/exe", (char *)to + at, 1024);
    if (bytes < 0)
        bytes = 0;
    put32(to + 76, (uint32_t)bytes);
    return (uint32_t)align8(at + (uint32_t)bytes);
}

static bool send_hello(greeting *g) {
    uint8_t *hello = g->message;
    memset(hello, 0, MESSAGE_LIMIT);
    if (!random_bytes(g->nonce, sizeof g->nonce))
        return fail(g, "no random numbers");
    put32(hello, MAGIC);
    put32(hello + 8, 1 | 1 << 16);
    put32(hello + 12, (uint32_t)getpid());
    memcpy(hello + 32, g->nonce, sizeof g->nonce);
    uint32_t length = put_name(hello, put_environment(hello, put_libraries(hello, HELLO_FIXED)));
    put32(hello + 4, length);
    return write_all(g->fd, hello, length) || fail(g, "the connection broke while greeting");
}

static bool receive_message(greeting *g) {
    if (!read_all(g->fd, g->message, 8))
        return fail(g, errno == EAGAIN ? "the backend does not answer" : "the backend closed the connection while greeting");
    g->length = get32(g->message + 4);
    if (get32(g->message) != MAGIC || g->length < 16 || g->length > MESSAGE_LIMIT || g->length % 8 != 0)
        return fail(g, "the peer is not an Outboard backend");
    return read_all(g->fd, g->message + 8, g->length - 8) || fail(g, "the connection broke while greeting");
}

static bool load_token(char *to, size_t limit) {
    if (!find_token(to, limit) || strlen(to) != TOKEN_DIGITS)
        return false;
    for (char *digit = to; *digit != '\0'; digit++)
        *digit = (char)tolower((unsigned char)*digit);
    return true;
}

static bool prove(greeting *g) {
    uint8_t server[32], proof[48] = {0};
    if (g->length < 48)
        return fail(g, "the backend sent a malformed challenge");
    if (!load_token(g->token, sizeof g->token))
        return fail(g, "the backend wants a token: set OUTBOARD_TOKEN to the content of the file that 'outboard serve' names");
    memcpy(server, g->message + 16, 32);
    put32(proof, MAGIC);
    put32(proof + 4, sizeof proof);
    put32(proof + 8, MESSAGE_PROOF);
    hmac_sha256((const uint8_t *)g->token, TOKEN_DIGITS, (const void *[]){"outboard client", g->nonce, server}, (const size_t[]){15, 32, 32}, 3, proof + 16);
    hmac_sha256((const uint8_t *)g->token, TOKEN_DIGITS, (const void *[]){"outboard server", server, g->nonce}, (const size_t[]){15, 32, 32}, 3, g->expected);
    g->challenged = true;
    return write_all(g->fd, proof, sizeof proof) || fail(g, "the connection broke while greeting");
}

static bool welcomed(greeting *g) {
    if (g->length < WELCOME_FIXED)
        return fail(g, "the backend sent a malformed welcome");
    if (g->challenged && memcmp(g->message + 48, g->expected, 32) != 0)
        return fail(g, "the backend does not know the token: it may be an impostor");
    uint64_t tag;
    memcpy(&tag, g->message + 16, 8);
    the_session.tag = tag & 63;
    return true;
}

static bool refused(greeting *g) {
    g->message[g->length - 1] = '\0';
    return fail(g, (const char *)g->message + 16);
}

static bool converse(greeting *g) {
    if (!send_hello(g) || !receive_message(g))
        return false;
    if (get32(g->message + 8) == MESSAGE_CHALLENGE && (!prove(g) || !receive_message(g)))
        return false;
    switch (get32(g->message + 8)) {
    case MESSAGE_WELCOME:
        return welcomed(g);
    case MESSAGE_REFUSAL:
        return refused(g);
    default:
        return fail(g, "the backend sent something unexpected");
    }
}

bool greet(int fd, char *why, size_t limit) {
    greeting *g = calloc(1, sizeof *g);
    if (g == NULL) {
        snprintf(why, limit, "out of memory");
        return false;
    }
    g->fd = fd;
    g->why = why;
    g->limit = limit;
    struct timeval bounded = {.tv_sec = GREETING_SECONDS}, unbounded = {0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &bounded, sizeof bounded);
    bool done = converse(g);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &unbounded, sizeof unbounded);
    free(g);
    return done;
}
