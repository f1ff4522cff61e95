/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy in parts through memory that both sides have: CUDA's and OpenCL's large copies. The
 * library takes the steps, as it knows the calls.
 */
#include "move/move.h"

static uint64_t parts_of(const ob_parts *p) { return (p->bytes + p->part - 1) / p->part; }

static uint8_t *place(const ob_parts *p) { return p->places + p->index % p->window * p->part; }

static void select_part(ob_parts *p, uint64_t index) {
    uint64_t left = p->bytes - index * p->part;
    p->index = index;
    p->count = left < p->part ? left : p->part;
}

static void start(ob_parts *p) {
    if (p->begun == 0)
        ob_large_copy_begin(&p->copying, p->bytes, p->from != NULL);
    select_part(p, p->begun++);
    if (p->from != NULL)
        ob_large_copy_part(&p->copying, place(p), p->from + p->index * p->part, p->count);
}

static void finish(ob_parts *p) {
    select_part(p, p->over++);
    p->last = p->result == 0 && p->over == parts_of(p);
}

bool ob_parts_next(ob_parts *p) {
    p->starts = p->result == 0 && p->begun < parts_of(p) && p->begun < p->over + p->window;
    bool more = p->starts || p->over < p->begun;
    if (p->starts)
        start(p);
    else if (more)
        finish(p);
    else
        ob_large_copy_end(&p->copying);
    return more;
}

void ob_parts_done(ob_parts *p, int32_t result) {
    p->result = p->result == 0 ? result : p->result;
    if (p->result == 0 && !p->starts && p->to != NULL)
        ob_large_copy_part(&p->copying, p->to + p->index * p->part, place(p), p->count);
}
