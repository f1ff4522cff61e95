# SPDX-License-Identifier: Apache-2.0
# The tests of libcuda.so.1 that need no backend.

CUDA_PARTS = facts/facts facts/remembered device/visible device/storage memory/ranges memory/changes image/length entry/integrity

$(OUT)/cuda/test/%.o: cuda/test/%.c $(GENERATED)/cuda.remote.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Icuda -c -o $@ $<

$(OUT)/cuda/test/parts: $(OUT)/cuda/test/parts.o $(CUDA_PARTS:%=$(OUT)/cuda/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(OUT)/cuda/test/images: $(OUT)/cuda/test/images.o $(OUT)/cuda/image/image_select.o $(OUT)/cuda/image/image_send.o $(OUT)/runtime/base/sha256.o $(OUT)/runtime/base/sha256_blocks.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

CACHE_PARTS = cuda/cache/image cuda/cache/folder cuda/cache/files cuda/cache/table runtime/base/log runtime/base/sha256 runtime/base/sha256_blocks
$(OUT)/cuda/test/cache: $(OUT)/cuda/test/cache.o $(OUT)/test/check.o $(CACHE_PARTS:%=$(OUT)/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

PAGES_PARTS = piece pages fetch habits pager fault work
$(OUT)/cuda/test/pages: $(OUT)/cuda/test/pages.o $(OUT)/test/check.o $(PAGES_PARTS:%=$(OUT)/cuda/memory/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

MANAGED_PARTS = managed host paged ranges
MANAGED_LACKS = mirror_begin mirror_end mirror_is_gone ob_handle_plausible ob_reserve pages_adopt registered_end registered_is_there \
  registered_share remote_outboardPagesMap remote_outboardPagesUnmap shared_adopt shared_map_alone shared_map_managed \
  shared_unmap shared_unmap_managed unshared_refuse cuda_work_seen
$(OUT)/cuda/test/managed: $(OUT)/cuda/test/managed.o $(OUT)/test/check.o $(MANAGED_PARTS:%=$(OUT)/cuda/memory/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) $(MANAGED_LACKS:%=-Wl,--defsym=%=not_reached) -o $@ $^ -lpthread

COPIES_PARTS = copy/copy copy/transfer memory/ranges
COPIES_LACKS = cuda_work_seen graph_copy_capture ob_parts_done ob_parts_next remote_cuCtxGetStreamPriorityRange \
  remote_outboardBulkDown remote_outboardBulkDrop remote_outboardBulkUp remote_outboardCopyToHost shared_map
$(OUT)/cuda/test/copies: $(OUT)/cuda/test/copies.o $(OUT)/test/check.o $(COPIES_PARTS:%=$(OUT)/cuda/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) $(COPIES_LACKS:%=-Wl,--defsym=%=not_reached) -Wl,--wrap=memory_ask,--wrap=range_find -o $@ $^ -lpthread

$(OUT)/cuda/test/uninitialised: $(OUT)/cuda/test/uninitialised.o $(OUT)/lib/libcuda.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/../../lib' -o $@ $^ -L$(OUT)/lib -loutboard -ldl

# Runtimes of two versions, by their names, and a program with either.
OLDER_RUNTIMES = $(OUT)/cuda/test/libcudart.so.6.5 $(OUT)/cuda/test/libcudart.so.10.2
$(OLDER_RUNTIMES): cuda/test/older.c $(OUT)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MF $@.needs -DRUNTIME -shared -Wl,-rpath,'$$ORIGIN/../../lib' -Wl,-soname,$(@F) -o $@ $< $(OUT)/lib/libcuda.so.1 -L$(OUT)/lib -loutboard

OLDER_PROGRAMS = $(OUT)/cuda/test/with-6.5 $(OUT)/cuda/test/with-10.2
$(OLDER_PROGRAMS): $(OUT)/cuda/test/with-%: $(OUT)/cuda/test/older.o $(OUT)/cuda/test/libcudart.so.%
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../../lib' -Wl,-rpath-link,$(OUT)/lib -o $@ $^

PARTS += uninitialised older parts images cache pages managed copies
test-uninitialised: $(OUT)/cuda/test/uninitialised
	@$(call run_test,uninitialised,,$<)
test-older: $(OLDER_PROGRAMS)
	@$(call run_test,older,with 6.5,$(OUT)/cuda/test/with-6.5 libcudart.so.6.5)
	@$(call run_test,older,with 10.2,$(OUT)/cuda/test/with-10.2 '')

CUDA_PARTS_TESTS = test-parts test-images test-cache test-pages test-managed test-copies
$(CUDA_PARTS_TESTS): test-%: $(OUT)/cuda/test/%
	@$(call run_test,$*,,$(RUN) $<)

sanitize: sanitize-cuda

.PHONY: run-cuda-parts sanitize-cuda
run-cuda-parts: $(CUDA_PARTS_TESTS)

sanitize-cuda:
	$(MAKE) run-cuda-parts OUT=$(OUT)/asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	$(MAKE) run-cuda-parts OUT=$(OUT)/tsan CFLAGS="-O1 -g -fsanitize=thread"
