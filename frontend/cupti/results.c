/* SPDX-License-Identifier: Apache-2.0
 *
 * Results by name and meaning (CUPTI documentation, "CUptiResult"), in our words.
 */
#include "profile.h"

static const struct {
    CUptiResult result;
    const char *name, *meaning;
} results[] = {
    {SUCCESS, "CUPTI_SUCCESS", "success"},
    {INVALID_PARAMETER, "CUPTI_ERROR_INVALID_PARAMETER", "an argument is wrong"},
    {INVALID_CONTEXT, "CUPTI_ERROR_INVALID_CONTEXT", "there is no such context"},
    {INVALID_OPERATION, "CUPTI_ERROR_INVALID_OPERATION", "not possible now"},
    {OUT_OF_MEMORY, "CUPTI_ERROR_OUT_OF_MEMORY", "out of memory"},
    {MAX_LIMIT_REACHED, "CUPTI_ERROR_MAX_LIMIT_REACHED", "there is no more"},
    {NOT_INITIALIZED, "CUPTI_ERROR_NOT_INITIALIZED",
     "the backend has nothing to profile with, or there is no backend"},
    {QUEUE_EMPTY, "CUPTI_ERROR_QUEUE_EMPTY", "the stack is empty"},
    {INVALID_KIND, "CUPTI_ERROR_INVALID_KIND", "there is no such kind"},
    {NOT_SUPPORTED, "CUPTI_ERROR_NOT_SUPPORTED", "not supported"},
    {MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
     "there is a subscriber already"},
};

enum { RESULTS = sizeof results / sizeof results[0] };

static size_t place_of(CUptiResult result) {
    size_t at = 0;
    while (at < RESULTS && results[at].result != result)
        at++;
    return at;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text) {
    size_t at = place_of(result);
    if (text == NULL)
        return INVALID_PARAMETER;
    *text = at < RESULTS ? results[at].name : "CUPTI_ERROR_UNKNOWN";
    return SUCCESS;
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **text) {
    size_t at = place_of(result);
    if (text == NULL)
        return INVALID_PARAMETER;
    *text = at < RESULTS ? results[at].meaning : "unknown error";
    return SUCCESS;
}
