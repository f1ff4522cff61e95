/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether this is built with a sanitizer, for the few places that cannot be as they are otherwise.
 */
#ifndef OUTBOARD_SANITIZER_H
#define OUTBOARD_SANITIZER_H

/* The thread sanitizer follows no threads that a child of a process with threads starts, and has
 * its own memory between TSAN_BEGIN and TSAN_END (of LLVM's and GCC's versions together): a mapping
 * there ends the process. */
#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN true
#elif defined(__has_feature)
#define UNDER_TSAN __has_feature(thread_sanitizer)
#else
#define UNDER_TSAN false
#endif

#define TSAN_BEGIN 0x8000000000ULL
#define TSAN_END 0x550000000000ULL

/* The address sanitizer's allocator may be locked for ever in a child of a process whose threads
 * run. */
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN true
#elif defined(__has_feature)
#define UNDER_ASAN __has_feature(address_sanitizer)
#else
#define UNDER_ASAN false
#endif

#endif
