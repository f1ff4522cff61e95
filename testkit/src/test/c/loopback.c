/* SPDX-License-Identifier: Apache-2.0
 *
 * A runtime for tests: hands each call to functions of the same process. One thread.
 */
#include "observe/observe.h"
#include "toy.remote.h"


struct loopback {
    int32_t (*send)(uint32_t number, const void *body, uint32_t bytes, const void *payload,
                    uint64_t payload_bytes, uint32_t flags);
    const uint8_t *(*reply)(void);
    uint32_t (*reply_bytes)(void);
    uint64_t (*mint)(uint32_t kind);
    bool (*plausible)(uint64_t handle, uint64_t kinds);
    uint64_t (*largest_part)(void);
    void (*logged)(const char *text);
};

static struct loopback loopback;
static uint8_t body[OB_CHUNK + (64 << 10)];
static const void *payload;
static uint64_t payload_bytes;
static uint64_t retired;
static call_text text;

OB_API void loopback_connect(const struct loopback *functions) { loopback = *functions; }
OB_API uint64_t loopback_retired(void) { return retired; }
OB_API int32_t loopback_image(const void *image, uint64_t length) {
    return remote_toyImage(image, length, 0);
}

int32_t ob_begin(ob_call *call, const ob_library *library, uint32_t number, uint32_t fixed) {
    *call = (ob_call){
        .library = library, .body = body, .body_bytes = fixed, .number = number, .logged = true};
    memset(body, 0, fixed);
    payload = NULL;
    payload_bytes = 0;
    return 0;
}

int32_t ob_append(ob_call *call, const void *data, uint64_t bytes) {
    bool bulk = bytes > loopback.largest_part();
    ob_set_u64(call, call->body_bytes, bulk ? bytes | 1ull << 63 : bytes);
    call->body_bytes += 8;
    if (bulk) {
        payload = data;
        payload_bytes = bytes;
        return 0;
    }
    uint32_t padded = (uint32_t)(bytes + 7) & ~7u;
    memset(call->body + call->body_bytes, 0, padded);
    ob_set(call, call->body_bytes, data, (uint32_t)bytes);
    call->body_bytes += padded;
    return 0;
}

/* Replies come whole, and are as they should be. */
static void hand_out(const ob_call *call) {
    const uint8_t *at = call->reply + call->fixed;
    for (uint32_t i = 0; i < call->count; i++) {
        uint64_t bytes;
        if (call->parts[i].to == NULL)
            continue;
        memcpy(&bytes, at, 8);
        memcpy(call->parts[i].to, at + 8, bytes);
        at += 8 + ((bytes + 7) & ~7ULL);
    }
}

static bool asks_for_too_much(const ob_call *call) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < call->count; i++)
        most = call->parts[i].bytes > most ? call->parts[i].bytes : most;
    return most > OB_REPLY_MOST;
}

int32_t ob_send(ob_call *call, uint32_t flags) {
    if (asks_for_too_much(call))
        return call->library->invalid_value;
    int32_t result =
        loopback.send(call->number, call->body, call->body_bytes, payload, payload_bytes, flags);
    call->sequence = 1;
    call->reply = loopback.reply();
    call->reply_bytes = loopback.reply_bytes();
    if (call->reply_bytes > 0)
        hand_out(call);
    return result;
}

void ob_log_arguments(ob_call *call, const char *signature, const uint64_t values[],
                      uint32_t flags) {
    call_text_begin(&text, call->library->structures, signature, values,
                    (flags & OB_PER_THREAD) != 0);
}

void ob_log_returned(const ob_call *call, int32_t result) {
    if (call->sequence == 0)
        return;
    call_text_end(&text, result);
    loopback.logged(text.text);
}

int32_t ob_send_cached(ob_call *call) { return ob_send(call, OB_ANSWER); }

int32_t ob_send_settling(ob_call *call, uint32_t flags) { return ob_send(call, OB_ANSWER | flags); }

int32_t ob_malformed(const ob_call *call) { return call->library->unavailable; }

uint64_t ob_handle_mint(uint32_t kind) { return loopback.mint(kind); }
void ob_handle_retire(uint64_t handle) { retired = handle; }
bool ob_handle_plausible(uint64_t handle, uint64_t kinds) {
    return loopback.plausible(handle, kinds);
}
uint64_t ob_callback_register(void (*function)(void *), void *user_data, bool repeated) {
    (void)repeated;
    return (uint64_t)(uintptr_t)function + (uint64_t)(uintptr_t)user_data;
}

int32_t ob_refuse(const ob_library *library, const char *name, bool *said) {
    *said = name[0] != '\0';
    return library->not_supported;
}

toyResult toyImage(const void *image) { return remote_toyImage(image, strlen(image) + 1, 0); }
toyResult toyErrorText(toyResult error, const char **text) {
    *text = error == 0 ? "fine" : "not fine";
    return 0;
}
toyResult toyTwice(int value, int *twice) {
    *twice = 2 * value;
    return 0;
}
