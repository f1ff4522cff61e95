/* SPDX-License-Identifier: Apache-2.0
 *
 * The greeting: PROTOCOL.md, "Greeting". The backend is hostile here too: every length is checked.
 */
#include "link/link.h"
#include "base/clock.h"
#include "link/ivshmem.h"
#include "ring/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static const char NO_BACKEND[] = "it is no backend of Outboard";

enum {
    AT_TYPE = AT_CHALLENGE_TYPE, /* of every message but a Hello */
    TLS_ALERT = 0x15,       /* RFC 8446, 5.1: how an answer to what is not TLS begins */
    TLS_MAJOR = 3,
};

enum { JOINING_MS = 5000 };  /* there nothing has to start */

enum purpose {
    BEGINS,     /* a session */
    ADDS,       /* a connection to the session that is open */
    CHECKS,      /* whether it would be greeted */
    RETURNING,  /* to the session, whose connection is lost */
};

/* a worker may have to start first; a backend without one says so after 60 */
int greeting_seconds = 65;

/* The state that a session hands over to its next connection. */
typedef struct passage {
    resumption *how;
    uint64_t has;       /* bytes that have come: here, then there */
} passage;

typedef struct greeting {
    session *s;                 /* NULL where only a question is asked */
    carrier over;
    uint64_t end;               /* on the monotonic clock: a backend that drips is no backend */
    enum purpose purpose;
    enum ob_sharing sharing;
    bool placed;                /* the region lies in memory that both sides have already */
    int region;                 /* the descriptor that came, -1 if none */
    ivshmem memory;             /* that this machine shares with its host */
    char *why;
    size_t limit;
    uint8_t nonce[32];
    uint8_t message[MESSAGE_LIMIT];
    uint32_t length;
    const ob_communicator *by;
    bool challenged;
    char token[TOKEN_DIGITS + 1];   /* that was proven; of zeros where none was */
    uint8_t expected[32];
    passage *way;       /* where it begins or returns */
    uint32_t refusal;   /* the code, 0 if there was none */
} greeting;

/* Variables that are the vendor's library's to honour, there. Which devices a program sees is
 * decided here (visible.c), and where the backend keeps files is its own affair. */
static const char *const forwarded[] = {
    "CUDA_LAUNCH_BLOCKING=",
    "CUDA_MODULE_LOADING=",
    "CUDA_MODULE_DATA_LOADING=",
    "CUDA_CACHE_DISABLE=",
    "CUDA_CACHE_MAXSIZE=",
    "CUDA_FORCE_PTX_JIT=",
    "CUDA_DISABLE_PTX_JIT=",
    "CUDA_FORCE_JIT=",
    "CUDA_DISABLE_JIT=",
    "CUDA_DEVICE_MAX_CONNECTIONS=",
    "CUDA_SCALE_LAUNCH_QUEUES=",
    "CUDA_AUTO_BOOST=",
    "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT=",
};

static bool fail(greeting *g, const char *why) {
    snprintf(g->why, g->limit, "%s", why);
    return false;
}

static bool write_all(const greeting *g, const void *data, size_t bytes) {
    struct iovec left = {(void *)data, bytes};
    while (left.iov_len > 0) {
        ssize_t n = carrier_send(g->over, &left, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        left = (struct iovec){(uint8_t *)left.iov_base + n, left.iov_len - (size_t)n};
    }
    return true;
}

/* A descriptor comes beside the first byte of its message. */
static void keep_descriptor(greeting *g, struct msghdr *message) {
    struct cmsghdr *control = CMSG_FIRSTHDR(message);
    if (control == NULL || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS ||
        control->cmsg_len != CMSG_LEN(sizeof g->region))
        return;
    if (g->region >= 0)
        close(g->region);
    memcpy(&g->region, CMSG_DATA(control), sizeof g->region);
}

static ssize_t read_socket(greeting *g, void *to, size_t bytes) {
    union {
        struct cmsghdr aligned;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec into = {to, bytes};
    struct msghdr message = {.msg_iov = &into,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(g->over.fd, &message, MSG_CMSG_CLOEXEC);
    if (n > 0)
        keep_descriptor(g, &message);
    return n;
}

/* Pages pass no descriptors. */
static ssize_t read_some(greeting *g, void *to, size_t bytes) {
    return g->over.pages != NULL ? carrier_receive(g->over, to, bytes) : read_socket(g, to, bytes);
}

static bool read_all(greeting *g, void *data, size_t bytes) {
    uint8_t *to = data;
    while (bytes > 0) {
        if (now_ns() > g->end) {
            errno = EAGAIN;
            return false;
        }
        ssize_t n = read_some(g, to, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        bytes -= (size_t)n;
    }
    return true;
}

static void put16(uint8_t *to, uint16_t value) { memcpy(to, &value, sizeof value); }

static void put32(uint8_t *to, uint32_t value) { memcpy(to, &value, 4); }

static uint16_t get16(const uint8_t *from) {
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

static uint64_t get64(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
}

static uint32_t put_libraries(uint8_t *to, uint32_t at) {
    uint32_t count = 0;
    for (const ob_library *library; (library = library_at(count)) != NULL; count++) {
        put_library(to + at, library);
        at += HELLO_ENTRY_END;
    }
    put32(to + AT_HELLO_LIBRARIES, count);
    return at;
}

static bool is_forwarded(const char *variable) {
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        if (strncmp(variable, forwarded[i], strlen(forwarded[i])) == 0)
            return strchr(variable, '=') != NULL;
    return false;
}

static uint32_t put_environment(uint8_t *to, uint32_t at) {
    uint32_t start = at;
    for (char **one = environ; one != NULL && *one != NULL; one++) {
        size_t bytes = strlen(*one) + 1;
        if (is_forwarded(*one) && bytes < MESSAGE_LIMIT / 2 - at) {
            memcpy(to + at, *one, bytes);
            at += (uint32_t)bytes;
        }
    }
    put32(to + AT_HELLO_ENVIRONMENT, at - start);
    return (uint32_t)align8(at);
}

static uint32_t put_name(uint8_t *to, uint32_t at) {
    ssize_t bytes = readlink("/proc/self/exe", (char *)to + at, 1024);
    if (bytes < 0)
        bytes = 0;
    put32(to + AT_HELLO_PROGRAM, (uint32_t)bytes);
    return (uint32_t)align8(at + (uint32_t)bytes);
}

/* A program that was given a token says which one, so that the backend finds what it stands for;
 * that of a file is the backend's own. */
static uint32_t put_key(uint8_t *to) {
    char token[TOKEN_DIGITS + 1];
    uint8_t name[32];
    const char *set = secure_getenv("OUTBOARD_TOKEN");
    if (set == NULL || *set == '\0' || !find_token(token))
        return 0;
    hmac_sha256((part){token, TOKEN_DIGITS}, (const part[]){{"outboard key", 12}}, 1, name);
    memcpy(to + AT_HELLO_SESSION, name, sizeof ((session *)0)->identity);
    return HELLO_KEY;
}

/* Bytes in shared memory cannot be sent again: a session that gets some ends with its connection.
 */
static uint32_t wishes(const greeting *g) {
    return (g->sharing != OB_SHARE_NEVER || g->memory.count > 0 ? HELLO_REGIONS : 0) |
           (g->sharing == OB_SHARE_NEVER && g->s->distant ? HELLO_LASTS : 0);
}

static uint32_t hello_flags(const greeting *g, uint8_t *hello) {
    switch (g->purpose) {
    case ADDS:
        return HELLO_BULK | g->s->line << HELLO_THREAD_SHIFT;
    case CHECKS:
        return HELLO_ASK | put_key(hello);
    case RETURNING:
        return HELLO_RETURNS | g->s->line << HELLO_THREAD_SHIFT;
    default:
        return wishes(g) | (uint32_t)g->s->tag << HELLO_TAG_SHIFT | (g->s->logged ? HELLO_LOG : 0) |
               put_key(hello);
    }
}

static bool send_hello(greeting *g) {
    uint8_t *hello = g->message;
    memset(hello, 0, MESSAGE_LIMIT);
    if (!random_bytes(g->nonce, sizeof g->nonce))
        return fail(g, "no random numbers");
    put32(hello, MESSAGE_MAGIC);
    put16(hello + AT_HELLO_LOWEST, MESSAGE_VERSION);
    put16(hello + AT_HELLO_HIGHEST, MESSAGE_VERSION);
    put32(hello + AT_HELLO_PROCESS, (uint32_t)getpid());
    memcpy(hello + AT_HELLO_NONCE, g->nonce, sizeof g->nonce);
    put32(hello + AT_HELLO_FLAGS, hello_flags(g, hello));
    if (g->purpose == ADDS || g->purpose == RETURNING)
        memcpy(hello + AT_HELLO_SESSION, g->s->identity, sizeof g->s->identity);
    uint32_t length =
        g->purpose != BEGINS
            ? HELLO_END
            : put_name(hello, put_environment(hello, put_libraries(hello, HELLO_END)));
    put32(hello + AT_MESSAGE_LENGTH, length);
    return write_all(g, hello, length) || fail(g, "the connection broke while greeting");
}

static bool unanswered(greeting *g) {
    return fail(
        g, errno == EAGAIN
               ? "it does not answer, so it may be no backend of Outboard"
               : "it closed the connection while greeting, so it may be no backend of Outboard");
}

static bool receive_message(greeting *g) {
    errno = 0;
    bool answered = read_all(g, g->message, MESSAGE_END);
    if (g->message[0] == TLS_ALERT && g->message[1] == TLS_MAJOR)
        return fail(g, "it speaks TLS alone: say tls://");
    if (!answered)
        return unanswered(g);
    g->length = get32(g->message + AT_MESSAGE_LENGTH);
    if (get32(g->message) != MESSAGE_MAGIC || g->length < 16 || g->length > MESSAGE_LIMIT ||
        g->length % 8 != 0)
        return fail(g, NO_BACKEND);
    return read_all(g, g->message + MESSAGE_END, g->length - MESSAGE_END) || unanswered(g);
}

static bool find_key(greeting *g) {
    if (g->purpose != RETURNING)
        return find_token(g->token);
    memcpy(g->token, g->way->how->key, sizeof g->token);
    return true;
}

/* The key is the token's 64 digits, not the bytes that they denote. */
static bool prove(greeting *g) {
    uint8_t server[32], proof[PROOF_END] = {0};
    if (g->length != CHALLENGE_END)
        return fail(g, "the backend sent a malformed challenge");
    if (!find_key(g))
        return fail(g, "the backend wants a token: set OUTBOARD_TOKEN to the 64 digits in the file "
                       "that 'outboard serve' names");
    memcpy(server, g->message + AT_CHALLENGE_NONCE, sizeof server);
    put32(proof, MESSAGE_MAGIC);
    put32(proof + AT_MESSAGE_LENGTH, sizeof proof);
    put32(proof + AT_TYPE, MESSAGE_PROOF);
    const part key = {g->token, TOKEN_DIGITS}, ours = {g->nonce, 32}, theirs = {server, 32};
    hmac_sha256(key, (const part[]){{"outboard client", 15}, ours, theirs}, 3,
                proof + AT_PROOF_CODE);
    hmac_sha256(key, (const part[]){{"outboard server", 15}, theirs, ours}, 3, g->expected);
    g->challenged = true;
    return write_all(g, proof, sizeof proof) || fail(g, "the connection broke while greeting");
}

static bool proven(greeting *g) {
    if (g->length < WELCOME_END || get16(g->message + AT_WELCOME_VERSION) != MESSAGE_VERSION)
        return fail(g, "the backend sent a malformed welcome");
    const uint8_t *proof = g->message + AT_WELCOME_PROOF;
    if (g->challenged && memcmp(proof, g->expected, sizeof g->expected) != 0)
        return fail(g, "the backend does not know the token: it may be an impostor");
    if (!g->challenged && (!g->by->vouches || g->purpose == RETURNING))
        return fail(g, "the backend did not prove that it knows the token: it may be an impostor");
    return true;
}

static void put_digits(char *to, const uint8_t *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        snprintf(to + 2 * i, 3, "%02x", from[i]);
}

/* Only who has the session's secret, and the token that was proven, comes back to it. */
static void keep_resumption(greeting *g) {
    enum { SECRET = 16 };
    char secret[2 * SECRET + 1];
    uint8_t key[32];
    put_digits(secret, g->message + AT_WELCOME_SECRET, SECRET);
    if (!g->challenged)
        memset(g->token, '0', TOKEN_DIGITS);
    hmac_sha256((part){g->token, TOKEN_DIGITS},
                (const part[]){{"outboard derived", 16}, {"resume ", 7}, {secret, 2 * SECRET}}, 3,
                key);
    g->way->how->seconds = get16(g->message + AT_WELCOME_GRACE);
    put_digits(g->way->how->key, key, sizeof key);
}

static bool welcomed(greeting *g) {
    uint32_t flags = get32(g->message + AT_WELCOME_FLAGS);
    if (!backend_libraries(g->s, g->message + WELCOME_END, g->length - WELCOME_END,
                           get32(g->message + AT_WELCOME_LIBRARIES)))
        return fail(g, "the backend sent a malformed welcome");
    memcpy(g->s->identity, g->message + AT_WELCOME_SESSION, sizeof g->s->identity);
    g->s->joinable = (flags & WELCOME_JOINABLE) != 0;
    g->s->answers_at_length = (flags & WELCOME_AT_LENGTH) != 0;
    keep_resumption(g);
    return true;
}

/* Either side says how far it has come; the number of the connection is the backend's. */
static bool agree(greeting *g) {
    uint8_t mine[RESUMPTION_END];
    put32(mine, MESSAGE_MAGIC);
    put32(mine + AT_MESSAGE_LENGTH, sizeof mine);
    put32(mine + AT_TYPE, MESSAGE_RESUMPTION);
    put32(mine + AT_RESUMPTION_EPOCH, g->way->how->epoch);
    memcpy(mine + AT_RESUMPTION_BYTES, &g->way->has, sizeof g->way->has);
    return write_all(g, mine, sizeof mine) || fail(g, "the connection broke while greeting");
}

static bool returned(greeting *g) {
    if (g->length != RESUMPTION_END)
        return fail(g, "the backend sent a malformed greeting");
    g->way->how->epoch = get32(g->message + AT_RESUMPTION_EPOCH);
    g->way->has = get64(g->message + AT_RESUMPTION_BYTES);
    return true;
}

/* The text is the backend's: a terminal must not obey it. */
static bool refused(greeting *g) {
    char *text = (char *)g->message + REFUSAL_END;
    g->refusal = get32(g->message + AT_REFUSAL_CODE);
    if (g->length <= REFUSAL_END)
        return fail(g, "it refuses");
    g->message[g->length - 1] = '\0';
    make_printable(text, strlen(text));
    return fail(g, text);
}

static bool map_placed(greeting *g, const region_layout *layout) {
    for (int i = 0; i < g->memory.count; i++)
        if (stream_share(g->s, g->memory.fds[i], layout, &stream_doorbell))
            return true;
    return false;
}

/* A region that the communicator has by itself, or the descriptor that has come. Whether it can be
 * used here is for this side to say. */
static bool map_region(greeting *g, const region_layout *layout) {
    if (layout->mark != 0)
        return map_placed(g, layout);
    if (g->by->region != NULL)
        g->region = g->by->region(g->over.fd, layout->bytes);
    return g->region >= 0 && stream_share(g->s, g->region, layout,
                                          g->by->bells != NULL ? g->by->bells : &futex_doorbell);
}

static bool take_region(greeting *g) {
    uint8_t answer[REGION_ANSWER_END] = {0};
    if (!receive_message(g))
        return false;
    g->placed = g->length == PLACED_REGION_END;
    if (get32(g->message + AT_TYPE) != MESSAGE_REGION || (g->length != REGION_END && !g->placed) ||
        (g->placed && get64(g->message + AT_PLACED_REGION_MARK) == 0))
        return fail(g, "the backend sent a malformed region");
    region_layout layout = {get64(g->message + AT_REGION_BYTES),
                            get64(g->message + AT_REGION_RING),
                            get32(g->message + AT_REGION_SLOTS),
                            get32(g->message + AT_REGION_SLOT),
                            0,
                            0};
    if (g->placed) {
        layout.offset = get64(g->message + AT_PLACED_REGION_OFFSET);
        layout.mark = get64(g->message + AT_PLACED_REGION_MARK);
    }
    put32(answer, MESSAGE_MAGIC);
    put32(answer + AT_MESSAGE_LENGTH, sizeof answer);
    put32(answer + AT_TYPE, MESSAGE_REGION_ANSWER);
    put32(answer + AT_REGION_ANSWER_TAKEN, map_region(g, &layout));
    return write_all(g, answer, sizeof answer) || fail(g, "the connection broke while greeting");
}

/* For people who ask how bytes travel. */
static void tell_way(const greeting *g, bool offered) {
    if (!is_verbose() || g->sharing != OB_SHARE_NEVER)
        return;
    if (g->s->shared)
        ob_warn("bytes travel through memory that this machine shares with its host (ivshmem)");
    else if (g->memory.count > 0)
        ob_warn("bytes travel over the connection: the backend %s",
                offered ? "offers other memory than this machine shares with its host"
                        : "offers no memory, or has no more");
    else
        ob_warn("bytes travel over the connection: memory that this machine shares with its host "
                "(ivshmem) %s%s",
                g->memory.error != 0 ? "cannot be opened: " : "is not there, or not wanted",
                g->memory.error != 0 ? strerror(g->memory.error) : "");
}

static bool share(greeting *g) {
    bool offered = (get32(g->message + AT_WELCOME_FLAGS) & WELCOME_REGION) != 0;
    if (offered && !take_region(g))
        return false;
    if (g->s->shared && !g->placed)
        g->way->how->seconds = 0;
    tell_way(g, offered);
    return g->s->shared || g->sharing != OB_SHARE_ALWAYS ||
           fail(g, "it does not share memory with this program; unix: can do without");
}

/* Looked at again over another connection: a worker that starts is no reason to worry anybody. */
static void wait_for_answer(const greeting *g, const endpoint *to) {
    const answer_time *most = &answer_expected;
    char why[256];
    if (to->late != NULL && !carrier_await(g->over, most->first_ms) && now_ns() < g->end &&
        !greets(to, most->all_ms - most->first_ms, why, sizeof why))
        to->late(to);
}

static bool come_back(greeting *g) {
    if (!agree(g) || !receive_message(g))
        return false;
    switch (get32(g->message + AT_TYPE)) {
    case MESSAGE_RESUMPTION:
        return returned(g);
    case MESSAGE_REFUSAL:
        return refused(g);
    default:
        return fail(g, NO_BACKEND);
    }
}

/* After the Welcome. */
static bool go_on(greeting *g) {
    switch (g->purpose) {
    case BEGINS:
        return welcomed(g) && share(g);
    case RETURNING:
        return come_back(g);
    default:
        return true;
    }
}

/* A user who names a lease must not get something else, nor be told of another cause. */
static bool has_usable_token(greeting *g) {
    char token[TOKEN_DIGITS + 1];
    const char *set = secure_getenv("OUTBOARD_TOKEN");
    return g->purpose == RETURNING || set == NULL || *set == '\0' || find_token(token) ||
           fail(g, "OUTBOARD_TOKEN is no token: that has 64 hexadecimal digits");
}

static bool converse(greeting *g, const endpoint *to) {
    if (!has_usable_token(g) || !send_hello(g))
        return false;
    wait_for_answer(g, to);
    if (!receive_message(g))
        return false;
    if (get32(g->message + AT_TYPE) == MESSAGE_CHALLENGE && (!prove(g) || !receive_message(g)))
        return false;
    switch (get32(g->message + AT_TYPE)) {
    case MESSAGE_WELCOME:
        return proven(g) && go_on(g);
    case MESSAGE_REFUSAL:
        return refused(g);
    default:
        return fail(g, NO_BACKEND);
    }
}

static struct timeval as_time(int milliseconds) {
    return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
}

/* Returns the code of a refusal, 0 once it is done, and -1 where the conversation broke off. */
static int converse_within(session *s, int milliseconds, carrier over, enum purpose purpose,
                           passage *way, const endpoint *to, char *why, size_t limit) {
    greeting *g = calloc(1, sizeof *g);
    if (g == NULL) {
        snprintf(why, limit, "out of memory");
        return -1;
    }
    g->s = s;
    g->way = way;
    g->over = over;
    g->end = now_ns() + (uint64_t)milliseconds * 1000000;
    g->purpose = purpose;
    g->sharing = purpose == BEGINS ? sharing_of(to) : OB_SHARE_NEVER;
    g->region = -1;
    g->why = why;
    g->limit = limit;
    g->by = communicator_of(to);
    if (purpose == BEGINS && over.pages == NULL && may_share_with_host(to))
        ivshmem_open(&g->memory);
    struct timeval bounded = as_time(milliseconds), unbounded = {0};
    setsockopt(over.fd, SOL_SOCKET, SO_RCVTIMEO, &bounded, sizeof bounded);
    int done = converse(g, to) ? 0 : g->refusal != 0 ? (int)g->refusal : -1;
    setsockopt(over.fd, SOL_SOCKET, SO_RCVTIMEO, &unbounded, sizeof unbounded);
    if (g->region >= 0)
        close(g->region);
    ivshmem_close(&g->memory);
    free(g);
    return done;
}

bool greet(session *s, const endpoint *to, carrier over, resumption *how, char *why, size_t limit) {
    bool done = converse_within(s, greeting_seconds * 1000, over, BEGINS, &(passage){.how = how},
                                to, why, limit) == 0;
    if (!done)
        stream_unshare(s);
    return done;
}

bool greet_again(session *s, const endpoint *to, carrier over, char *why, size_t limit) {
    return converse_within(s, JOINING_MS, over, ADDS, NULL, to, why, limit) == 0;
}

enum returned greet_return(session *s, const endpoint *to, carrier over, int milliseconds,
                           resumption *how, uint64_t *has, char *why, size_t limit) {
    passage way = {how, *has};
    int refusal = converse_within(s, milliseconds, over, RETURNING, &way, to, why, limit);
    *has = way.has;
    return refusal == 0 ? RETURNED : refusal == REFUSAL_SESSION ? RETURN_NEVER : RETURN_LATER;
}

/* Nobody has to be told that this is late: it ends soon. */
bool greets(const endpoint *to, int milliseconds, char *why, size_t limit) {
    endpoint now = *to;
    uint64_t end = now_ns() + (uint64_t)milliseconds * 1000000;
    now.late = NULL;
    now.connect_ms = milliseconds;
    carrier over = connect_to(&now, why, limit);
    if (!carrier_is_there(over))
        return false;
    uint64_t begin = now_ns();
    bool done = converse_within(NULL, begin < end ? (int)((end - begin) / 1000000) + 1 : 1, over,
                                CHECKS, NULL, &now, why, limit) == 0;
    carrier_close(&over);
    return done;
}
