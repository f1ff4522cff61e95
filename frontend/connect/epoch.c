/* SPDX-License-Identifier: Apache-2.0 */
#include "epoch.h"

#include "base/base.h"

enum { MARK = 16, GREETING = 48, VERSION = 1 };

static const uint8_t mark[MARK] = "outboard's port";

static void put32(uint8_t *to, uint32_t value) { memcpy(to, &value, sizeof value); }
static void put64(uint8_t *to, uint64_t value) { memcpy(to, &value, sizeof value); }

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static uint64_t get64(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static size_t held(const port_bytes *b) { return b->end - b->begin; }

/* ---- greetings ------------------------------------------------------------------------------- */

/* A greeting says the sender's nonce, and the last that it has heard of the other side. */
static void greet(epoch *e, uint64_t heard) {
    uint8_t *to = e->out.bytes + e->out.end;
    memcpy(to, mark, MARK);
    put32(to + 16, VERSION);
    put32(to + 20, 0);
    put64(to + 24, e->own);
    put64(to + 32, heard);
    put64(to + 40, 0);
    e->out.end += GREETING;
}

static bool renew(epoch *e) {
    e->other = 0;
    e->out.begin = e->out.end = 0;
    do
        if (!random_bytes((uint8_t *)&e->own, sizeof e->own))
            return false;
    while (e->own == 0);
    return true;
}

/* The other side may be in the middle of a frame that will never be whole: zeros complete it, and
 * no seal is zero. */
bool epoch_begin(epoch *e) {
    if (!renew(e))
        return false;
    memset(e->out.bytes, 0, FRAME_MOST);
    e->out.end = FRAME_MOST;
    greet(e, 0);
    return true;
}

bool epoch_stands(const epoch *e) { return e->other != 0; }

void epoch_break(epoch *e) {
    if (!epoch_begin(e))
        e->own = 0;
}

static bool is_mark(const epoch *e) { return memcmp(e->in.bytes + e->in.begin, mark, MARK) == 0; }

/* Another nonce is another process at the other side, or one that has begun anew; it looks for a
 * greeting, and needs no zeros. */
static enum epoch_taken take_greeting(epoch *e) {
    const uint8_t *from = e->in.bytes + e->in.begin;
    uint64_t its = get64(from + 24), heard = get64(from + 32);
    bool stood = epoch_stands(e), known = get32(from + 16) == VERSION && its != 0;
    if (known && stood && its == e->other && heard == e->own)
        known = stood = false;
    e->in.begin += GREETING;
    if (!known)
        return stood ? epoch_break(e), EPOCH_OVER : EPOCH_NOTHING;
    if (stood && !renew(e))
        e->own = 0;
    else if (heard == e->own)
        e->other = its;
    greet(e, its);
    return stood ? EPOCH_OVER : EPOCH_NOTHING;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool is_sound(const port_frame *f, uint32_t last) {
    switch (f->kind) {
    case FRAME_DATA:
        return last == 0 && f->bytes > 0 && f->bytes <= PIECE;
    case FRAME_CREDIT:
        return last == 0 && f->bytes > 0 && f->bytes <= WINDOW;
    case FRAME_OPEN:
    case FRAME_END:
    case FRAME_CLOSE:
        return last == 0 && f->bytes == 0;
    default:
        return false;
    }
}

static size_t body_of(uint32_t kind, uint32_t bytes) {
    return kind == FRAME_DATA ? (bytes + 7u) & ~7u : 0;
}

static enum epoch_taken take_frame(epoch *e, port_frame *to) {
    const uint8_t *from = e->in.bytes + e->in.begin;
    *to = (port_frame){.kind = get32(from),
                       .channel = get32(from + 4),
                       .bytes = get32(from + 8),
                       .body = from + HEADER};
    bool sound = is_sound(to, get32(from + 12));
    size_t body = sound ? body_of(to->kind, to->bytes) : 0;
    if (sound && held(&e->in) < HEADER + body + SEAL)
        return EPOCH_NOTHING;
    if (!sound || get64(from + HEADER + body) != e->own) {
        epoch_break(e);
        return EPOCH_OVER;
    }
    e->in.begin += HEADER + body + SEAL;
    return EPOCH_FRAME;
}

/* Drops what comes before a greeting; true if there is the beginning of one. */
static bool find_greeting(epoch *e) {
    while (held(&e->in) >= MARK && !is_mark(e)) {
        const uint8_t *next = memchr(e->in.bytes + e->in.begin + 1, mark[0], held(&e->in) - 1);
        e->in.begin = next != NULL ? (size_t)(next - e->in.bytes) : e->in.end;
    }
    return held(&e->in) >= GREETING;
}

enum epoch_taken epoch_take(epoch *e, port_frame *to) {
    while (!epoch_stands(e) || (held(&e->in) >= MARK && is_mark(e))) {
        if (!find_greeting(e) || e->own == 0 || PORT_ROOM - e->out.end < GREETING)
            return EPOCH_NOTHING;
        if (take_greeting(e) == EPOCH_OVER)
            return EPOCH_OVER;
    }
    return held(&e->in) >= HEADER ? take_frame(e, to) : EPOCH_NOTHING;
}

/* ---- room ------------------------------------------------------------------------------------ */

void port_close_up(port_bytes *b) {
    if (b->begin == 0)
        return;
    memmove(b->bytes, b->bytes + b->begin, held(b));
    b->end -= b->begin;
    b->begin = 0;
}

uint8_t *epoch_reads(epoch *e, size_t *room) {
    port_close_up(&e->in);
    *room = PORT_ROOM - e->in.end;
    return e->in.bytes + e->in.end;
}

bool epoch_has_room(const epoch *e) { return PORT_ROOM - e->out.end >= 2 * FRAME_MOST; }

uint8_t *epoch_body(epoch *e) { return e->out.bytes + e->out.end + HEADER; }

void epoch_put(epoch *e, uint32_t kind, uint32_t channel, uint32_t bytes) {
    uint8_t *to = e->out.bytes + e->out.end;
    size_t body = body_of(kind, bytes);
    put32(to, kind);
    put32(to + 4, channel);
    put32(to + 8, bytes);
    put32(to + 12, 0);
    if (body > bytes)
        memset(to + HEADER + bytes, 0, body - bytes);
    put64(to + HEADER + body, e->other);
    e->out.end += HEADER + body + SEAL;
}
