/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs find the library's functions: cuGetProcAddress and cuGetExportTable. They work
 * before cuInit.
 */
#include "entry/entry.h"

/* CUdriverProcAddress_flags and CUdriverProcAddressQueryResult */
enum { LEGACY_STREAM = 1, PER_THREAD_STREAM = 2 };
enum { SYMBOL_FOUND = 0, SYMBOL_NOT_FOUND = 1, VERSION_NOT_SUFFICIENT = 2 };

/* The runtime lists its libraries in the greeting. */
__attribute__((constructor)) static void register_library(void) { ob_register(&ob_cuda); }

/* The first symbol of a base name, NULL if there is none; the table is in order. */
static const struct ob_symbol *first_of(const char *base) {
    size_t low = 0, high = ob_cuda_symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(ob_cuda_symbols[middle].base, base) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ob_cuda_symbol_count && strcmp(ob_cuda_symbols[low].base, base) == 0
               ? &ob_cuda_symbols[low]
               : NULL;
}

/* The newest variant that had been introduced by a version; a per-thread one, if asked for,
 * wherever there is one. */
static void *newest(const struct ob_symbol *first, uint32_t version, bool per_thread) {
    const struct ob_symbol *end = ob_cuda_symbols + ob_cuda_symbol_count;
    void *plain = NULL, *threaded = NULL;
    for (const struct ob_symbol *s = first;
         s < end && strcmp(s->base, first->base) == 0 && s->version <= version; s++)
        *(s->per_thread ? &threaded : &plain) = s->function;
    return per_thread && threaded != NULL ? threaded : plain;
}

static int look_up(const char *symbol, void **function, int version, uint64_t flags) {
    const struct ob_symbol *first = first_of(symbol);
    if (first == NULL) {
        *function = NULL;
        return SYMBOL_NOT_FOUND;
    }
    *function = newest(first, (uint32_t)version, (flags & PER_THREAD_STREAM) != 0);
    return *function != NULL ? SYMBOL_FOUND : VERSION_NOT_SUFFICIENT;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             int *status) {
    enum { NEWEST = -1 };
    if (version == NEWEST)
        version = driver_version_known();
    if (symbol == NULL || function == NULL || version < 0 || version > driver_version_known() ||
        (flags & ~(uint64_t)(LEGACY_STREAM | PER_THREAD_STREAM)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    int found = look_up(symbol, function, version, flags);
    if (status != NULL)
        *status = found;
    return CUDA_SUCCESS;
}

/* The first form has no status: there a name that is not found is an error. */
CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
    CUresult result = cuGetProcAddress_v2(symbol, function, version, flags, NULL);
    return result == CUDA_SUCCESS && *function == NULL ? CUDA_ERROR_NOT_FOUND : result;
}

CUresult cuGetExportTable(const void **table, const void *id) {
    if (table == NULL || id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    older_runtime_say(); /* each runtime asks for tables, before all else */
    *table = export_table(id);
    return *table != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
