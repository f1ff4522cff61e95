/* SPDX-License-Identifier: Apache-2.0 */
#include "observe/observe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 16, SHORT_TEXT = 64, SIZE_MASK = 0xffffff, SINGLE = -1, FIRST_TEXT = 1024 };

typedef struct type {
    char code;
    const char *kinds;      /* of a handle */
    uint64_t structure;
} type;

/* ---- the text -------------------------------------------------------------------------------- */

static bool has_room(call_text *to, size_t bytes) {
    size_t wanted = to->length + bytes + 1,
           capacity = to->capacity == 0 ? FIRST_TEXT : to->capacity;
    while (capacity < wanted)
        capacity *= 2;
    char *larger = capacity > to->capacity ? realloc(to->text, capacity) : to->text;
    if (larger == NULL)
        return false;
    to->text = larger;
    to->capacity = capacity;
    return true;
}

__attribute__((format(printf, 2, 3))) static void add(call_text *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (bytes < 0 || !has_room(to, (size_t)bytes))
        return;
    va_start(arguments, format);
    vsnprintf(to->text + to->length, (size_t)bytes + 1, format, arguments);
    va_end(arguments);
    to->length += (size_t)bytes;
}

/* ---- reading a signature --------------------------------------------------------------------- */

static bool takes(const char **at, char expected) {
    bool there = **at == expected;
    *at += there;
    return there;
}

static char mark(const char **at, const char *marks) {
    return **at != '\0' && strchr(marks, **at) != NULL ? *(*at)++ : '\0';
}

static int64_t number(const char **at) { return strtoll(*at, (char **)at, 10); }

/* Returns the length of what comes before a character, which is read too. */
static int until(const char **at, char end) {
    const char *from = *at;
    *at = strchr(from, end) + 1;
    return (int)(*at - from) - 1;
}

static type take_type(const char **at) {
    type one = {.code = *(*at)++, .kinds = *at};
    if (one.code == 'S')
        one.structure = (uint64_t)number(at);
    if (one.code == 'S' || one.code == 'h')
        until(at, '.');
    return one;
}

static size_t size_of(const call_text *to, type of) {
    switch (of.code) {
    case 'b': case 'B': case 'T':
        return 1;
    case 's':
        return 2;
    case 'i': case 'f':
        return 4;
    case 'S': {
        const char *at = to->structures[of.structure];
        takes(&at, 'z');
        return (size_t)number(&at);
    }
    default:
        return 8;
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static int64_t at_address(const void *from, char width) {
    int32_t narrow;
    int64_t wide;
    memcpy(&narrow, from, sizeof narrow);
    if (width == 'i')
        return narrow;
    memcpy(&wide, from, sizeof wide);
    return wide;
}

/* FNV-1a */
static void add_bytes(call_text *to, const uint8_t *from, uint64_t count) {
    uint32_t hash = 2166136261u;
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ from[i]) * 16777619u;
    add(to, "%" PRIu64 "#%08" PRIx32, count, hash);
}

static void add_text(call_text *to, const char *from, size_t limit) {
    size_t length = strnlen(from, limit);
    if (length > SHORT_TEXT) {
        add_bytes(to, (const uint8_t *)from, length);
        return;
    }
    add(to, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)from[i];
        bool plain = letter >= ' ' && letter < 0x7f && letter != '"' && letter != '\\';
        add(to, plain ? "%c" : "\\x%02x", letter);
    }
    add(to, "\"");
}

/* Bits of a handle: Handles.java. */
static void add_handle(call_text *to, const char *kinds, uint64_t handle) {
    do {
        uint64_t id = (uint64_t)number(&kinds);
        int length = (int)strcspn(kinds, "%|.");
        const char *name = kinds;
        kinds += length;
        int64_t own = takes(&kinds, '%') ? number(&kinds) : 0;
        if (!to->writes && own != 0 &&
            (handle == (uint64_t)own || (handle == 0 && to->per_thread))) {
            add(to, "#own");
            return;
        }
        if (handle >> 47 == 0 && (handle >> 34 & 63) == id) {
            add(to, "%.*s#%s%" PRIu64 ".%" PRIu64, length, name, (handle >> 40 & 1) != 0 ? "b" : "",
                handle & 0xfffff, handle >> 20 & 0x3fff);
            return;
        }
    } while (takes(&kinds, '|'));
    add(to, "#%" PRId64, (int64_t)handle);
}

static void add_value(call_text *to, type of, uint64_t value) {
    switch (of.code) {
    case 'b':
        add(to, "%d", (int8_t)value);
        break;
    case 's':
        add(to, "%d", (int16_t)value);
        break;
    case 'i':
        add(to, "%" PRId32, (int32_t)value);
        break;
    case 'f':
        add(to, "0x%" PRIx32, (uint32_t)value);
        break;
    case 'a': case 'd':
        add(to, "0x%" PRIx64, value);
        break;
    case 'h':
        add_handle(to, of.kinds, value);
        break;
    default:
        add(to, "%" PRId64, (int64_t)value);
    }
}

static void add_structure(call_text *to, uint64_t which, const uint8_t *from);

static void add_element(call_text *to, type of, const uint8_t *from) {
    uint64_t value = 0;
    if (of.code == 'S') {
        add_structure(to, of.structure, from);
        return;
    }
    memcpy(&value, from, size_of(to, of));
    add_value(to, of, value);
}

/* The elements at an address, which may be null: one, or so many. */
static void add_elements(call_text *to, type of, const uint8_t *from, int64_t count) {
    if (from == NULL) {
        add(to, "null");
    } else if (of.code == 'T') {
        add_text(to, (const char *)from, count == SINGLE ? SIZE_MAX >> 1 : (size_t)count);
    } else if (count == SINGLE) {
        add_element(to, of, from);
    } else if (of.code == 'B' || (count > FEW && of.code != 'S' && of.code != 'h')) {
        add_bytes(to, from, (uint64_t)count * size_of(to, of));
    } else {
        add(to, "[");
        for (int64_t i = 0; i < count; i++) {
            add(to, "%s", i == 0 ? "" : ", ");
            add_element(to, of, from + (size_t)i * size_of(to, of));
        }
        add(to, "]");
    }
}

/* ---- structures ------------------------------------------------------------------------------ */

static void add_counted(call_text *to, const char **at, const uint8_t *structure, int64_t offset) {
    type of = take_type(at);
    takes(at, '[');
    const uint8_t *length = structure + number(at);
    int64_t count = at_address(length, mark(at, "il"));
    const uint8_t *from = (const uint8_t *)(uintptr_t)at_address(structure + offset, 'l');
    takes(at, ']');
    add_elements(to, of, from, count < 0 ? 0 : count);
}

static void add_choice(call_text *to, const char **at, const uint8_t *structure, int64_t offset) {
    int64_t tag = at_address(structure + number(at), 'i');
    takes(at, '(');
    uint64_t bytes = (uint64_t)number(at);
    bool found = false;
    while (takes(at, '{')) {
        bool here = false;
        for (; **at != 'S'; takes(at, ','))
            here |= number(at) == tag;
        type of = take_type(at);
        takes(at, '}');
        if (here)
            add_element(to, of, structure + offset);
        found |= here;
    }
    takes(at, ')');
    if (!found)
        add_bytes(to, structure + offset, bytes);
}

static void add_member(call_text *to, const char **at, const uint8_t *structure, int64_t offset) {
    if (takes(at, '?')) {
        add_choice(to, at, structure, offset);
    } else if (takes(at, '<')) {
        add_counted(to, at, structure, offset);
    } else {
        type of = take_type(at);
        add_elements(to, of, structure + offset, takes(at, '~') ? number(at) : SINGLE);
    }
}

static void add_structure(call_text *to, uint64_t which, const uint8_t *from) {
    const char *at = to->structures[which], *separator = "";
    bool sized = takes(&at, 'z');
    int64_t limit = number(&at), told = at_address(from, 'i') & SIZE_MASK;
    if (sized && told < limit)
        limit = told;
    takes(&at, '{');
    add(to, "{");
    while (!takes(&at, '}')) {
        const char *name = at;
        int length = until(&at, '@');
        int64_t offset = number(&at);
        if (offset >= limit)
            break;
        takes(&at, ':');
        add(to, "%s%.*s=", separator, length, name);
        add_member(to, &at, from, offset);
        separator = takes(&at, ',') ? ", " : "";
    }
    add(to, "}");
}

/* ---- parameters ------------------------------------------------------------------------------ */

static int64_t take_operand(const call_text *to, const char **at) {
    if (takes(at, '$'))
        return (int64_t)to->values[number(at)];
    if (!takes(at, '&'))
        return number(at);
    const void *from = (const void *)(uintptr_t)to->values[number(at)];
    char width = mark(at, "il");
    return from == NULL ? 0 : at_address(from, width);
}

static int64_t take_count(const call_text *to, const char **at) {
    int64_t stack[FEW] = {0};
    for (int top = 0; **at != ']'; takes(at, ' ')) {
        char sign = mark(at, "+-*");
        if (sign == '\0') {
            stack[top++] = take_operand(to, at);
            continue;
        }
        int64_t right = stack[--top], *left = &stack[top - 1];
        *left = sign == '+' ? *left + right : sign == '-' ? *left - right : *left * right;
    }
    return stack[0] < 0 ? 0 : stack[0];
}

static void add_argument(call_text *to, char how, type of, int i) {
    const uint8_t *from = (const uint8_t *)(uintptr_t)to->values[i];
    switch (how) {
    case '<': case '=':
        add_elements(to, of, from, to->counts[i]);
        break;
    case '>': case '+':
        add(to, "%s", from == NULL ? "null" : "*");
        break;
    case '@':
        add_element(to, of, from);
        break;
    case '!':
        add(to, "%s", from == NULL ? "null" : "function");
        break;
    default:
        add_value(to, of, to->values[i]);
    }
}

static void add_parameter(call_text *to, const char **at, int i, const char *separator) {
    const char *name = *at;
    int length = until(at, ':');
    char how = mark(at, "<>=+@!_");
    if (how == '_')
        return;
    type of = how == '!' ? (type){0} : take_type(at);
    bool counted = takes(at, '['), written = how == '>' || how == '=' || how == '+';
    if (!to->writes) {
        to->counts[i] = counted ? take_count(to, at) : SINGLE;
        add(to, "%s%.*s=", separator, length, name);
        add_argument(to, how, of, i);
    } else if (written && to->values[i] != 0) {
        add(to, " %.*s=", length, name);
        add_elements(to, of, (const uint8_t *)(uintptr_t)to->values[i], to->counts[i]);
    }
    if (counted)
        until(at, ']');
}

static void add_parameters(call_text *to) {
    const char *at = strchr(to->signature, '(') + 1;
    for (int i = 0; !takes(&at, ')'); i++)
        add_parameter(to, &at, i, i > 0 && takes(&at, ',') ? ", " : "");
}

/* The signature's own count of parameters is that of the values. */
static int parameters_of(const char *signature) {
    int count = 0;
    for (; *signature != '\0'; signature++)
        count += *signature == ':';
    return count < CALL_PARAMETERS ? count : CALL_PARAMETERS;
}

void call_text_begin(call_text *to, const char *const structures[], const char *signature,
                     const uint64_t values[], bool per_thread) {
    to->structures = structures;
    to->signature = signature;
    to->per_thread = per_thread;
    to->writes = false;
    to->length = 0;
    memcpy(to->values, values, (size_t)parameters_of(signature) * sizeof *values);
    add(to, "%.*s(", (int)strcspn(signature, "("), signature);
    add_parameters(to);
    add(to, ")");
}

static bool writes_on(const char *signature, int32_t result) {
    const char *at = strrchr(signature, ')') + 1;
    bool found = result == 0;
    while (takes(&at, '|'))
        found |= number(&at) == result;
    return found;
}

void call_text_end(call_text *to, int32_t result) {
    add(to, " = %" PRId32, result);
    to->writes = true;
    if (writes_on(to->signature, result))
        add_parameters(to);
}
