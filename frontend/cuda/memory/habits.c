/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages that the program had before it last asked for work: a program that takes turns with the
 * device mostly wants the same ones again. They are few, or none are remembered.
 */
#include "memory/memory.h"

static habit all[HABITS_MOST];
static int count;
static uint64_t pages_left;
static bool too_many;

void habits_begin(uint64_t most_pages) {
    count = 0;
    pages_left = most_pages;
    too_many = false;
}

void habits_add(const void *of, page_run run) {
    if (too_many || count == HABITS_MOST || run.count > pages_left) {
        too_many = true;
        count = 0;
        return;
    }
    pages_left -= run.count;
    all[count++] = (habit){.of = of, .run = run};
}

void habits_forget(const void *of) {
    for (int i = 0; i < count; i++)
        if (all[i].of == of)
            all[i] = (habit){0};
}

const habit *habit_at(int index) { return index < count ? &all[index] : NULL; }

const habit *habit_of(const void *of, uint64_t page) {
    for (int i = 0; i < count; i++)
        if (all[i].of == of && page >= all[i].run.first &&
            page - all[i].run.first < all[i].run.count)
            return &all[i];
    return NULL;
}
