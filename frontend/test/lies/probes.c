/* SPDX-License-Identifier: Apache-2.0
 *
 * Any call, by its signature. Arguments that are no floating-point numbers are words, as both
 * processors pass them; those that are go with what lies in their registers.
 */
#include "lies.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST = 24, LARGEST = 4 << 20 };

typedef struct argument {
    char mark;              /* of a pointer, or 0 */
    char element;
    bool floating, sized;
    uint32_t kind;          /* of a handle */
    uint64_t size;          /* of an element */
    const char *count;      /* NULL: one */
    uint64_t word;
} argument;

typedef struct arguments {
    argument all[MOST];
    int count;
} arguments;

/* ---- signatures ------------------------------------------------------------------------------ */

static uint64_t size_of(char letter) {
    switch (letter) {
    case 'b': case 'B': case 'T': return 1;
    case 's': return 2;
    case 'i': case 'f': return 4;
    default: return 8;
    }
}

static const char *read_structure(const char *at, argument *to) {
    const char *structure = probed->structures[strtol(at, NULL, 10)];
    to->sized = *structure == 'z';
    to->size = strtoull(structure + to->sized, NULL, 10);
    return strchr(at, '.') + 1;
}

static const char *read_element(const char *at, argument *to) {
    to->element = *at++;
    to->size = size_of(to->element);
    if (to->element == 'S')
        return read_structure(at, to);
    if (to->element != 'h')
        return at;
    to->kind = (uint32_t)strtol(at, NULL, 10);
    return strchr(at, '.') + 1;
}

static const char *read_argument(const char *at, argument *to) {
    *to = (argument){0};
    at = strchr(at, ':') + 1;
    if (strchr("@<>+=", *at) != NULL)
        to->mark = *at++;
    at = read_element(at, to);
    to->floating = to->mark == 0 && (to->element == 'f' || to->element == 'd');
    if (*at != '[')
        return at;
    to->count = at + 1;
    return strchr(at, ']') + 1;
}

static void read_signature(const char *signature, arguments *to) {
    const char *at = strchr(signature, '(') + 1;
    for (to->count = 0; *at != ')'; at += *at == ',')
        at = read_argument(at, &to->all[to->count++]);
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t number(void) {
    if (chance(3))
        return strange();
    return chance(5) ? any(300000) : any(40);
}

static uint64_t value_of(const argument *a) {
    switch (a->element) {
    case 'h': return handle_for(a->kind);
    case '!': return chance(20) ? 0 : (uint64_t)(uintptr_t)free;
    case '_': return 0;
    default: return number();
    }
}

static int64_t as_signed(const argument *a) {
    return a->element == 'i' ? (int32_t)a->word : (int64_t)a->word;
}

/* The number behind a pointer. */
static int64_t behind(const argument *a) {
    int64_t value = 0;
    if (a->word != 0)
        memcpy(&value, (void *)(uintptr_t)a->word, a->size);
    return a->size == 4 ? (int32_t)value : value;
}

/* As the stub works it out: -1 where that is no length. */
static int64_t combine(char operation, int64_t left, int64_t right) {
    int64_t made = -1;
    if (left < 0 || right < 0)
        return -1;
    if (operation == '-')
        return left - right;
    bool over = operation == '+' ? __builtin_add_overflow(left, right, &made)
                                 : __builtin_mul_overflow(left, right, &made);
    return over ? -1 : made;
}

static int64_t length_of(const arguments *all, const char *postfix) {
    int64_t stack[8];
    int depth = 0;
    for (const char *at = postfix; *at != ']';) {
        char *end = (char *)(uintptr_t)at + 1;
        if (*at == '$' || *at == '&') {
            const argument *named = &all->all[strtol(at + 1, &end, 10)];
            stack[depth++] = *at == '$' ? as_signed(named) : behind(named);
            end += *at == '&';
        } else if (isdigit((unsigned char)*at)) {
            stack[depth++] = strtoll(at, &end, 10);
        } else if (*at != ' ') {
            depth--;
            stack[depth - 1] = combine(*at, stack[depth - 1], stack[depth]);
        }
        at = end;
    }
    return stack[0];
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void fill(const argument *a, uint8_t *memory, uint64_t bytes) {
    memset(memory, 0, bytes);
    if (a->element == 'h' && a->mark != '>')
        for (uint64_t i = 0; i < bytes / 8; i++)
            memcpy(memory + 8 * i, &(uint64_t){handle_for(a->kind)}, 8);
    else if (a->sized)
        memcpy(memory, &(uint32_t){(uint32_t)a->size | 1 << 24}, 4);
    else if (a->mark == '=' && a->count == NULL && a->element != 'S')
        memcpy(memory, &(uint64_t){any(40)}, a->size);
}

/* NULL now and then, and where no memory would do. */
static void place(const arguments *all, argument *a) {
    static const char *const texts[] = {"", "text", "a longer text with blanks"};
    int64_t count = a->count == NULL ? 1 : length_of(all, a->count);
    if (a->element == 'T' && a->mark == '<')
        a->word = (uint64_t)(uintptr_t)strdup(texts[any(3)]);
    else if (!chance(15) && count >= 0 && (uint64_t)count <= LARGEST / a->size) {
        uint64_t bytes = (uint64_t)count * a->size;
        void *memory = malloc(bytes);
        fill(a, memory, bytes);
        a->word = (uint64_t)(uintptr_t)memory;
    }
}

static void make(arguments *all) {
    for (int i = 0; i < all->count; i++)
        if (all->all[i].mark == 0)
            all->all[i].word = value_of(&all->all[i]);
    for (int i = 0; i < all->count; i++)
        if (all->all[i].mark != 0 && all->all[i].count == NULL)
            place(all, &all->all[i]);
    for (int i = 0; i < all->count; i++)
        if (all->all[i].mark != 0 && all->all[i].count != NULL)
            place(all, &all->all[i]);
}

static void unmake(const arguments *all) {
    for (int i = 0; i < all->count; i++)
        if (all->all[i].mark != 0)
            free((void *)(uintptr_t)all->all[i].word);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* A structure that is passed by itself is no word. */
static bool is_possible(const arguments *all) {
    for (int i = 0; i < all->count; i++)
        if (all->all[i].mark == '@')
            return false;
    return all->count < MOST;
}

typedef int32_t call_of_words(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t);

/* The flags are its last argument. */
static void issue(const probe *one, const arguments *all) {
    uint64_t w[MOST] = {0};
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (!all->all[i].floating)
            w[count++] = all->all[i].word;
    w[count] = chance(30) ? OB_ANSWER : 0;
    ((call_of_words *)one->call)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10],
                                 w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18], w[19],
                                 w[20], w[21], w[22], w[23]);
}

void probe_any(void) {
    const probe *one = &probes[any(probe_count)];
    arguments all;
    read_signature(one->signature, &all);
    if (!is_possible(&all))
        return;
    make(&all);
    issue(one, &all);
    unmake(&all);
}
