/* SPDX-License-Identifier: Apache-2.0
 * A list of system calls, as an attacker's client hands it to code of its own. */
#ifndef ATTACK_H
#define ATTACK_H

enum { ARGUMENTS = 6, WORDS = ARGUMENTS + 2, MOST = 256, TEXTS = 16384 };

/* Kinds of arguments: a value, the place of a text, the result of the call before. */
enum { PLAIN, TEXT, RESULT, KIND_BITS = 4, KIND_MASK = 15 };

/* Where the list is in a library that brings one. */
#define ATTACK_MARK "attacks are here"

typedef struct attack_list {
    char mark[sizeof ATTACK_MARK];
    int count;
    long words[MOST * WORDS]; /* each call: its number, the kinds of its arguments, they */
    char texts[TEXTS];
} attack_list;

#endif
