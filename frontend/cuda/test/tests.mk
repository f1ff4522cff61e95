# SPDX-License-Identifier: Apache-2.0
# The tests of libcuda.so.1 that need no backend.

CUDA_PARTS = integrity length visible ranges storage known remembered changes

$(OUT)/cuda/test/%.o: cuda/test/%.c $(GENERATED)/cuda.remote.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(OUT)/cuda/test/parts: $(OUT)/cuda/test/parts.o $(CUDA_PARTS:%=$(OUT)/cuda/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(OUT)/cuda/test/images: $(OUT)/cuda/test/images.o $(OUT)/cuda/fit.o $(OUT)/cuda/content.o $(OUT)/runtime/sha256.o $(OUT)/runtime/sha256_blocks.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(OUT)/cuda/test/uninitialised: $(OUT)/cuda/test/uninitialised.o $(OUT)/lib/libcuda.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/../../lib' -o $@ $^ -L$(OUT)/lib -loutboard -ldl

test: run-cuda-tests
sanitize: sanitize-cuda

.PHONY: run-cuda-tests run-cuda-parts sanitize-cuda
run-cuda-tests: run-cuda-parts $(OUT)/cuda/test/uninitialised
	timeout 120 $(OUT)/cuda/test/uninitialised

run-cuda-parts: $(OUT)/cuda/test/parts $(OUT)/cuda/test/images
	timeout 300 $(RUN) $(OUT)/cuda/test/parts
	timeout 300 $(RUN) $(OUT)/cuda/test/images

sanitize-cuda:
	$(MAKE) run-cuda-parts OUT=$(OUT)/asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	$(MAKE) run-cuda-parts OUT=$(OUT)/tsan CFLAGS="-O1 -g -fsanitize=thread"
