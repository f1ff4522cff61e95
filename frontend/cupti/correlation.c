/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of the program, to which its calls belong: each thread has a stack of them for each kind,
 * and a call belongs to the top of each.
 */
#include "profile.h"

/* CUpti_ExternalCorrelationKind */
enum { FIRST_KIND = 1, EXTERNAL_KINDS = 16, DEPTH = 512 };

typedef struct stacks {
    uint32_t depth[EXTERNAL_KINDS];             /* deeper ones than there is room for are counted */
    uint64_t ids[EXTERNAL_KINDS][DEPTH];
} stacks;

static ob_own_memory own = {.bytes = sizeof(stacks)};
/* A thread that has never pushed has no stacks, and looks for none. */
static _Thread_local stacks *mine;

static uint32_t top(const stacks *all, uint32_t kind) {
    return (all->depth[kind] > DEPTH ? DEPTH : all->depth[kind]) - 1;
}

CUptiResult cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id) {
    if (kind < FIRST_KIND || kind >= EXTERNAL_KINDS)
        return INVALID_PARAMETER;
    if (mine == NULL)
        mine = ob_own(&own);
    if (mine == NULL)
        return OUT_OF_MEMORY;
    if (mine->depth[kind] < DEPTH)
        mine->ids[kind][mine->depth[kind]] = id;
    mine->depth[kind]++;
    return SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *last) {
    if (kind < FIRST_KIND || kind >= EXTERNAL_KINDS)
        return INVALID_PARAMETER;
    if (mine == NULL || mine->depth[kind] == 0)
        return QUEUE_EMPTY;
    if (last != NULL)
        *last = mine->ids[kind][top(mine, kind)];
    mine->depth[kind]--;
    return SUCCESS;
}

void correlation_put(uint32_t correlation) {
    for (uint32_t kind = FIRST_KIND; mine != NULL && kind < EXTERNAL_KINDS; kind++) {
        if (mine->depth[kind] == 0)
            continue;
        external_record record = {
            .kind = KIND_EXTERNAL_CORRELATION,
            .external_kind = kind,
            .id = mine->ids[kind][top(mine, kind)],
            .correlation = correlation,
        };
        buffers_put(&record, sizeof record);
    }
}
