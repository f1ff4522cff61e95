/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of the wire, made of the classes of the module wire and of the drawings of
 * PROTOCOL.md by HeaderForCTest:
 * ./mvnw -pl wire -am test -Doutboard.wire.update=true writes this file anew.
 */
#ifndef OUTBOARD_RUNTIME_WIRE_H
#define OUTBOARD_RUNTIME_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* kinds of frames: Frame.java */
enum {
    KIND_CALL = 1,
    KIND_REPLY = 2,
    KIND_PAYLOAD = 3,
    KIND_OUTPUT = 4,
    KIND_PING = 5,
    KIND_PONG = 6,
    KIND_GOODBYE = 7,
    KIND_THREAD_END = 8,
    KIND_CALLBACK = 9,
    KIND_CALLBACK_DONE = 10,
    KIND_MESSAGE = 11,
    KIND_TRACE = 12,
    KIND_LIBRARY = 13,
    KIND_LOG = 14,
    KIND_BULK_LOST = 15,
    KIND_RING = 16,
};

/* flags of frames: Frame.java */
enum {
    FLAG_ANSWER = 1,
    FLAG_PER_THREAD = 2,
    FLAG_ORDERED = 4,
    FLAG_PAYLOAD = 8,
    FLAG_LAST = 16,
    FLAG_MORE = 32,
};

/* types of messages: Message.java */
enum {
    MESSAGE_CHALLENGE = 2,
    MESSAGE_PROOF = 3,
    MESSAGE_WELCOME = 4,
    MESSAGE_REFUSAL = 5,
    MESSAGE_REGION = 6,
    MESSAGE_REGION_ANSWER = 7,
    MESSAGE_CONTROL = 8,
    MESSAGE_RESUMPTION = 9,
    MESSAGE_LINK = 10,
    MESSAGE_CODE_REQUEST = 11,
    MESSAGE_CODE_ANSWER = 12,
};

/* flags of a Hello: Hello.java */
enum {
    HELLO_REGIONS = 1,
    HELLO_LOG = 2,
    HELLO_BULK = 4,
    HELLO_KEY = 8,
    HELLO_CONTROL = 16,
    HELLO_ASK = 32,
    HELLO_LASTS = 64,
    HELLO_RETURNS = 128,
    HELLO_LINKS = 16384,
    HELLO_LINK = 32768,
    HELLO_OFFLOADS = 33554432,
};

/* of the session's tag in them: Hello.java */
enum {
    HELLO_TAG_LIMIT = 63,
    HELLO_TAG_SHIFT = 8,
};

/* of a thread's connection in them: Hello.java */
enum {
    HELLO_THREAD_SHIFT = 20,
    HELLO_THREAD_MASK = 31,
};

/* flags of a Welcome: Welcome.java */
enum {
    WELCOME_REGION = 1,
    WELCOME_JOINABLE = 2,
    WELCOME_LINKS = 4,
    WELCOME_AT_LENGTH = 8,
};

/* codes of a Refusal: Refusal.java */
enum {
    REFUSAL_VERSION = 1,
    REFUSAL_TOKEN = 2,
    REFUSAL_LIMIT = 3,
    REFUSAL_DEVICE = 4,
    REFUSAL_MALFORMED = 5,
    REFUSAL_INTERNAL = 6,
    REFUSAL_SESSION = 7,
    REFUSAL_LEASE = 8,
    REFUSAL_CODE = 9,
};

/* shared memory: offsets and bounds: Region.java */
enum {
    REGION_HEAD = 4096,
    REGION_PLACED = 4096,
    REGION_BACKEND_WAITS = 0,
    REGION_CLIENT_WAITS = 128,
    REGION_TO_BACKEND = 256,
    REGION_TO_CLIENT = 512,
    REGION_MARK = 768,
    REGION_PROGRAMS = 896,
    REGION_WRITTEN = 0,
    REGION_READ = 128,
    REGION_FOR_DATA = 1,
    REGION_FOR_ROOM = 2,
    REGION_MOST_SLOTS = 24,
    REGION_FUNCTIONS_SLOT = 16,
    REGION_FUNCTIONS = 256,
    REGION_PAGE = 4096,
};

/* offsets: PROTOCOL.md, Message */
enum {
    AT_MESSAGE_MAGIC = 0,
    AT_MESSAGE_LENGTH = 4,
    MESSAGE_END = 8,
};

/* offsets: PROTOCOL.md, Hello */
enum {
    AT_HELLO_LOWEST = 8,
    AT_HELLO_HIGHEST = 10,
    AT_HELLO_PROCESS = 12,
    AT_HELLO_SESSION = 16,
    AT_HELLO_NONCE = 32,
    AT_HELLO_FLAGS = 64,
    AT_HELLO_LIBRARIES = 68,
    AT_HELLO_ENVIRONMENT = 72,
    AT_HELLO_PROGRAM = 76,
    HELLO_END = 80,
};

/* offsets: PROTOCOL.md, HelloEntry */
enum {
    AT_HELLO_ENTRY_NAME = 0,
    AT_HELLO_ENTRY_NUMBER = 24,
    AT_HELLO_ENTRY_LEVEL = 28,
    AT_HELLO_ENTRY_DIGEST = 32,
    HELLO_ENTRY_END = 64,
};

/* offsets: PROTOCOL.md, Challenge */
enum {
    AT_CHALLENGE_TYPE = 8,
    AT_CHALLENGE_NONCE = 16,
    CHALLENGE_END = 48,
};

/* offsets: PROTOCOL.md, Proof */
enum {
    AT_PROOF_TYPE = 8,
    AT_PROOF_CODE = 16,
    PROOF_END = 48,
};

/* offsets: PROTOCOL.md, Welcome */
enum {
    AT_WELCOME_TYPE = 8,
    AT_WELCOME_VERSION = 12,
    AT_WELCOME_GRACE = 14,
    AT_WELCOME_SESSION = 16,
    AT_WELCOME_SECRET = 32,
    AT_WELCOME_PROOF = 48,
    AT_WELCOME_LIBRARIES = 80,
    AT_WELCOME_FLAGS = 84,
    WELCOME_END = 88,
};

/* offsets: PROTOCOL.md, WelcomeEntry */
enum {
    AT_WELCOME_ENTRY_NAME = 0,
    AT_WELCOME_ENTRY_NUMBER = 24,
    AT_WELCOME_ENTRY_LEVEL = 28,
    AT_WELCOME_ENTRY_WORDS = 32,
    WELCOME_ENTRY_END = 40,
};

/* offsets: PROTOCOL.md, Refusal */
enum {
    AT_REFUSAL_TYPE = 8,
    AT_REFUSAL_CODE = 12,
    REFUSAL_END = 16,
};

/* offsets: PROTOCOL.md, Region */
enum {
    AT_REGION_TYPE = 8,
    AT_REGION_BYTES = 16,
    AT_REGION_RING = 24,
    AT_REGION_SLOTS = 32,
    AT_REGION_SLOT = 36,
    REGION_END = 40,
};

/* offsets: PROTOCOL.md, PlacedRegion */
enum {
    AT_PLACED_REGION_OFFSET = 40,
    AT_PLACED_REGION_MARK = 48,
    PLACED_REGION_END = 56,
};

/* offsets: PROTOCOL.md, RegionAnswer */
enum {
    AT_REGION_ANSWER_TYPE = 8,
    AT_REGION_ANSWER_TAKEN = 12,
    REGION_ANSWER_END = 16,
};

/* offsets: PROTOCOL.md, Resumption */
enum {
    AT_RESUMPTION_TYPE = 8,
    AT_RESUMPTION_EPOCH = 12,
    AT_RESUMPTION_BYTES = 16,
    RESUMPTION_END = 24,
};

/* offsets: PROTOCOL.md, HostLink */
enum {
    AT_HOST_LINK_TYPE = 8,
    AT_HOST_LINK_SLOT = 12,
    AT_HOST_LINK_NONCE = 16,
    HOST_LINK_END = 32,
};

/* offsets: PROTOCOL.md, CodeRequest */
enum {
    AT_CODE_REQUEST_TYPE = 8,
    AT_CODE_REQUEST_BYTES = 12,
    AT_CODE_REQUEST_JAR = 16,
    AT_CODE_REQUEST_ENCODINGS = 48,
    AT_CODE_REQUEST_SERVICE = 80,
    CODE_REQUEST_END = 144,
};

/* offsets: PROTOCOL.md, CodeAnswer */
enum {
    AT_CODE_ANSWER_TYPE = 8,
    AT_CODE_ANSWER_STATE = 12,
    AT_CODE_ANSWER_CALLS = 16,
    CODE_ANSWER_END = 24,
};

/* the greeting: Message.java; bounds: Limits.java */
enum {
    MESSAGE_MAGIC = 0x4454424F,
    MESSAGE_VERSION = 1,
    MESSAGE_LIMIT = 65536,
    BODY_LIMIT = 1114112,
    FRAME_HEADER = 40,
    FRAME_LIMIT = BODY_LIMIT + FRAME_HEADER,
    THREAD_LIMIT = 65536,
    REPLY_LIMIT = 268435456,
    CHUNK_BYTES = 1048576,
};

#define PAYLOAD_LIMIT 2147483648ULL
#define REGION_LEAST_RING 65536ULL
#define REGION_MOST_RING 67108864ULL

/* Holds a structure to the header of a frame: Frame.java. */
#define WIRE_FRAME_IS(type) \
    _Static_assert(sizeof(type) == FRAME_HEADER, "the header has no padding"); \
    _Static_assert(offsetof(type, length) == 0, "LENGTH"); \
    _Static_assert(offsetof(type, kind) == 4, "KIND"); \
    _Static_assert(offsetof(type, flags) == 5, "FLAGS"); \
    _Static_assert(offsetof(type, call) == 6, "CALL"); \
    _Static_assert(offsetof(type, library) == 8, "LIBRARY"); \
    _Static_assert(offsetof(type, lane) == 12, "LANE"); \
    _Static_assert(offsetof(type, thread) == 16, "THREAD"); \
    _Static_assert(offsetof(type, result) == 20, "RESULT"); \
    _Static_assert(offsetof(type, sequence) == 24, "SEQUENCE"); \
    _Static_assert(offsetof(type, acknowledged) == 32, "ACKNOWLEDGED")

#endif
