/* SPDX-License-Identifier: Apache-2.0
 *
 * Processes whose backend lies. Each makes calls until its session is lost, or for a while. Most
 * answers are of the right shape, since the others end the session; what they say is anything.
 */
#include "lies.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    THREADS = 64,
    CALLS = 400,                /* of a process, at most */
    ANSWERS = 10000 / 3,        /* of each library … */
    LONG = 100,                 /* … and so many times as many with OUTBOARD_LONG */
    ROOM = 16 << 20,
};

/* How the reply should look that a thread waits for. */
typedef struct shape {
    uint32_t call, fixed, count;
    struct {
        uint64_t bytes;
        bool text;
    } parts[8];
} shape;

static shape shapes[THREADS];
static unsigned int wildness;   /* percent of the answers that lie */
static _Atomic uint64_t *answers; /* of all processes */
static uint8_t reply[ROOM];
static void *memory_of_program;

int32_t __real_ob_send(ob_call *call, uint32_t flags);
int32_t __wrap_ob_send(ob_call *call, uint32_t flags);

int32_t __wrap_ob_send(ob_call *call, uint32_t flags) {
    shape *s = &shapes[call->thread->number % THREADS];
    *s = (shape){.call = call->number, .fixed = call->fixed};
    for (uint32_t i = 0; i < call->count; i++)
        if (call->parts[i].to != NULL) {
            s->parts[s->count].bytes = call->parts[i].bytes;
            s->parts[s->count++].text = call->parts[i].text;
        }
    return __real_ob_send(call, flags);
}

/* ---- what it has been told to say ------------------------------------------------------------ */

enum { TOLD = 16 };

static struct {
    const char *call;
    int32_t result;
    uint64_t words[4];
} told[TOLD];
static int told_now;
static bool obeys;              /* and says nothing else */

void tell_next(const char *call, const uint64_t words[4]) {
    CHECK(told_now < TOLD);
    told[told_now].call = call;
    memcpy(told[told_now++].words, words, sizeof told[0].words);
}

void tell_failure(const char *call, int32_t result) {
    tell_next(call, (const uint64_t[4]){0});
    told[told_now - 1].result = result;
}

/* The result. */
static int32_t say_told(const shape *s, uint64_t bytes) {
    const char *name = probed->names[s->call];
    const uint8_t *from = NULL;
    int32_t result = 0;
    for (int i = 0; i < told_now && from == NULL; i++)
        if (told[i].call != NULL && strcmp(told[i].call, name) == 0) {
            from = (const uint8_t *)told[i].words;
            result = told[i].result;
            told[i].call = NULL;
        }
    uint64_t left = from == NULL ? 0 : sizeof told[0].words;
    for (uint64_t at = 0, i = 0; at < bytes && left > 0; i++) {
        uint64_t whole = i == 0 ? s->fixed : s->parts[i - 1].bytes,
                 now = whole < left ? whole : left;
        at += i == 0 ? 0 : 8;
        memcpy(reply + at, from, now);
        from += now;
        left -= now;
        at += align8(whole);
    }
    return result;
}

/* ---- what the backend says ------------------------------------------------------------------- */

static uint64_t address_of_program(void) {
    uint64_t places[] = {(uint64_t)(uintptr_t)memory_of_program, (uint64_t)(uintptr_t)&places,
                         (uint64_t)(uintptr_t)reply, 0x100000000000ULL, 0x2a0000000000ULL};
    uint64_t place = places[any(5)];
    return chance(50) ? place & ~4095ULL : place;
}

static uint64_t word(int kind) {
    switch (kind) {
    case 0: return 0;
    case 1: return any(9);
    case 2: return UINT64_MAX;
    case 3: return strange();
    case 4: return strange() << 32 | (uint32_t)strange();
    case 5: return address_of_program();
    default: return word((int)any(6));
    }
}

static void say(uint8_t *to, uint64_t bytes) {
    if (obeys) {
        memset(to, 0, bytes);
        return;
    }
    int kind = chance(wildness) ? (int)any(7) : (int)any(2);
    for (uint64_t at = 0; at < bytes; at += 8) {
        uint64_t one = word(kind);
        memcpy(to + at, &one, bytes - at < 8 ? bytes - at : 8);
        if (at >= 4096)
            kind = 0; /* the rest is zeros */
    }
}

static uint64_t put_part(uint64_t at, uint64_t bytes, uint64_t length, bool text) {
    memcpy(reply + at, &length, 8);
    say(reply + at + 8, bytes);
    if (text && bytes > 0)
        reply[at + 8 + any(bytes)] = '\0';
    return at + 8 + align8(bytes);
}

/* A reply of the right shape; 0 where that is too long. */
static uint64_t right(const shape *s) {
    uint64_t at = s->fixed;
    say(reply, s->fixed);
    if (chance(100 - wildness) && honest(probed->names[s->call], reply))
        return at;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->parts[i].bytes > ROOM / 4 || at > ROOM / 2)
            return 0;
        at = put_part(at, s->parts[i].bytes, s->parts[i].bytes, s->parts[i].text);
    }
    return at;
}

/* Lengths that are wrong, or bytes that are missing or too many. */
static uint64_t wrong(const shape *s) {
    uint64_t at = chance(50) ? s->fixed : align8(any(s->fixed + 64));
    say(reply, at);
    for (uint32_t i = 0; i < s->count + any(2); i++) {
        uint64_t bytes = any(200), length = chance(50) ? strange() : bytes;
        at = put_part(at, bytes, length, false);
    }
    return at;
}

static void obey(fake *f, const frame *call) {
    const shape *s = &shapes[call->thread % THREADS];
    uint64_t bytes = right(s);
    CHECK(bytes > 0 || s->fixed + s->count == 0);
    int32_t result = say_told(s, bytes);
    fake_reply(f, call, result, reply, result == 0 ? (uint32_t)bytes : 0);
}

static void answer(fake *f, const frame *call) {
    const shape *s = &shapes[call->thread % THREADS];
    atomic_fetch_add(answers, 1);
    if (chance(wildness / 4 + 2)) {
        fake_reply(f, call, (int32_t)strange(), reply, (uint32_t)align8(any(40)));
        return;
    }
    bool lies = chance(wildness / 10 + 1);
    uint64_t bytes = lies ? wrong(s) : right(s);
    int32_t result = chance(95) ? 0 : s->call % 2 == 0 ? 7 : -40;
    fake_reply(f, call, result, reply, (uint32_t)bytes);
}

static void go_on(fake *f, const frame *call, uint32_t bytes) {
    frame header = {.length = (uint32_t)sizeof header + bytes,
                    .kind = KIND_REPLY,
                    .flags = FLAG_MORE,
                    .sequence = call->sequence,
                    .thread = call->thread};
    if (fake_put(f, &header, sizeof header))
        fake_put(f, reply, bytes);
}

/* Frames that are no answers, and parts of answers that go on without end. */
static void disturb(fake *f, const frame *call) {
    uint64_t words[2] = {any(5), any(5)};
    uint8_t kinds[] = {KIND_CALLBACK, KIND_PONG, KIND_OUTPUT, KIND_MESSAGE, KIND_BULK_LOST};
    uint8_t kind = kinds[any(5)];
    if (chance(50))
        fake_send(f, kind, (int32_t)any(20), words, kind == KIND_CALLBACK ? 16 : 8);
    else
        go_on(f, call, (uint32_t)align8(any(1 << 16)));
}

/* ---- the backend ----------------------------------------------------------------------------- */

static void welcome(fake *f) {
    struct {
        uint32_t magic, length, type;
        uint16_t version, grace;
        uint8_t session[16], secret[16], proof[32];
        uint32_t libraries, flags;
        char name[24];
        uint32_t number, level, words, pad;
        uint64_t calls[16];
    } message = {.magic = 0x4454424F,
                 .length = sizeof message,
                 .type = 4,
                 .version = 1,
                 .libraries = 1,
                 .flags = (f->shm ? 1 : 0) | 8,
                 .number = probed->id,
                 .level = probed->level,
                 .words = probed->level / 64 + 1};
    message.length = (uint32_t)(offsetof(__typeof__(message), calls) + 8 * message.words);
    strcpy(message.name, probed->name);
    memset(message.calls, 0xff, sizeof message.calls);
    for (uint32_t call = probed->level + 1; call < 64 * message.words; call++)
        message.calls[call / 64] &= ~(1ULL << call % 64);
    fake_put(f, &message, message.length);
    if (f->shm)
        fake_offer(f, region_create(&f->layout), &f->layout);
}

static uint64_t seed;

static void lie(fake *f) {
    frame one;
    numbers_begin(~seed);
    fake_read_hello(f);
    welcome(f);
    while (fake_read(f, &one)) {
        f->payload_bytes = one.kind == KIND_PAYLOAD; /* which has its call's number */
        if (one.kind != KIND_CALL || (one.flags & OB_ANSWER) == 0)
            continue;
        if (!obeys && chance(wildness / 20 + 1))
            disturb(f, &one);
        (obeys ? obey : answer)(f, &one);
    }
}

void begin_lies(void) {
    fresh_folder();
    divert(STDERR_FILENO);
    numbers_begin(1);
    obeys = true;
    fake_start(lie, false);
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool is_lost(void) { return atomic_load(&session_here()->state) == SESSION_LOST; }

static void run_process(uint64_t number) {
    seed = number;
    numbers_begin(seed);
    divert(STDOUT_FILENO);
    divert(STDERR_FILENO);
    setenv("MEDIUM", chance(30) ? "shm" : "unix", 1);
    wildness = (unsigned int)any(3) * any(40);
    memory_of_program = malloc(64 << 10);
    const fake *f = fake_start(lie, false);
    bool flows = chance(50);
    for (uint64_t calls = 0, before = *answers; calls < CALLS && !is_lost(); calls++) {
        if (*answers - before > CALLS)
            break;
        if (flows)
            flow();
        else
            probe_any();
    }
    unlink(f->uri + strlen("unix:")); /* another process may have this one's number */
    _exit(0);
}

static uint64_t first_process = 1;

/* LIE=NUMBER runs that process alone. */
static void tell(uint64_t number, int status) {
    fprintf(stderr, "LIE=%llu ends with status 0x%x:\n%s\n", (unsigned long long)number, status,
            diverted());
}

static void every_answer_may_lie(void) {
    fresh_folder();
    divert(STDOUT_FILENO); /* names the file for this process, too */
    answers = mmap(NULL, sizeof *answers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0);
    CHECK(answers != MAP_FAILED);
    const char *only = getenv("LIE");
    uint64_t number = only != NULL ? strtoull(only, NULL, 10) : first_process;
    do {
        int status;
        pid_t child = fork();
        if (child == 0)
            run_process(number);
        CHECK(waitpid(child, &status, 0) == child);
        if (status != 0)
            tell(number, status);
        CHECK(status == 0);
        number++;
    } while (*answers < ANSWERS && only == NULL);
}

int main(int argc, char **argv) {
    static const test_case any_lie[] = {{"every answer may lie", every_answer_may_lie}, {0}};
    int times = getenv("OUTBOARD_LONG") != NULL ? LONG : 1, failed = 0;
    if (argc < 2)
        failed = run_cases(found, argc, argv);
    for (int i = 0; i < times && failed == 0; i++, first_process += ANSWERS)
        failed = run_cases(any_lie, argc, argv);
    return failed;
}
