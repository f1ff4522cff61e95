# SPDX-License-Identifier: Apache-2.0
# The tests of OpenCL's frontend that need no backend.

$(OUT)/test/opencl/%.o: test/opencl/%.c $(OPENCL_GENERATED)/opencl.remote.h
	@mkdir -p $(@D)
	$(CC) $(BASE_CFLAGS) -Iopencl -I$(OPENCL_GENERATED) -c -o $@ $<

OPENCL_TRANSFERS = $(filter %/landing.o %/transfer.o,$(OPENCL:%.c=$(OUT)/%.o))
$(OUT)/test/opencl/transfers: $(OUT)/test/opencl/transfers.o $(OUT)/test/opencl/others.o $(OUT)/test/check.o $(OPENCL_TRANSFERS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(OUT)/test/opencl/callbacks: $(OUT)/test/opencl/callbacks.o $(OUT)/test/check.o $(OUT)/opencl/event/event.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

PARTS += transfers callbacks
OPENCL_PARTS_TESTS = test-transfers test-callbacks
$(OPENCL_PARTS_TESTS): test-%: $(OUT)/test/opencl/%
	@$(call run_test,$*,,$(RUN) $<)

sanitize: sanitize-opencl

.PHONY: run-opencl-parts sanitize-opencl
run-opencl-parts: $(OPENCL_PARTS_TESTS)

sanitize-opencl:
	$(MAKE) run-opencl-parts OUT=$(OUT)/asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	$(MAKE) run-opencl-parts OUT=$(OUT)/tsan CFLAGS="-O1 -g -fsanitize=thread"
