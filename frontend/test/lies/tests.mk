# SPDX-License-Identifier: Apache-2.0
# A backend that lies, for each library under the sanitizers, in every build.

LIES = $(OUT)/lies
LYING = cuda nvml opencl cupti
SANITIZED = -O0 -g1 -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer
lies_stubs_cuda = $(GENERATED)/stubs.c
lies_stubs_nvml = $(MANAGEMENT)/stubs.c
lies_stubs_opencl = $(OPENCL_GENERATED)/stubs.c
lies_stubs_cupti = $(PROFILING)/stubs.c

# Every call that travels, with its signature.
$(LYING:%=$(OUT)/probes-%.c): $(OUT)/probes-%.c: $(GENERATED)/stubs.c $(MANAGEMENT)/stubs.c $(OPENCL_GENERATED)/stubs.c $(PROFILING)/stubs.c test/lies/tests.mk
	@mkdir -p $(@D)
	{ echo '#include "$*.remote.h"'; echo '#include "test/lies/lies.h"'; echo 'const probe probes[] = {'; \
	  sed -n 's/.*ob_log_arguments(&call_, "\(\([A-Za-z0-9_]*\)(.*)\)[^"]*", (const.*/{(void (*)(void))remote_\2, "\1"},/p' \
	    $(lies_stubs_$*); \
	  echo '};'; echo 'const size_t probe_count = sizeof probes / sizeof probes[0];'; } >$@

LIES_CFLAGS = $(BASE_CFLAGS) -Wno-cast-function-type -I. -I$(GENERATED) -I$(MANAGEMENT) -I$(OPENCL_GENERATED) -I$(PROFILING)
$(OUT)/test/lies/cuda.o: LIES_CFLAGS += -Icuda
$(OUT)/test/lies/opencl.o: LIES_CFLAGS += -Iopencl
$(OUT)/test/lies/%.o: test/lies/%.c $(GENERATED)/cuda.remote.h $(MANAGEMENT)/nvml.remote.h $(OPENCL_GENERATED)/opencl.remote.h $(PROFILING)/cupti.remote.h
	@mkdir -p $(@D)
	$(CC) $(LIES_CFLAGS) -c -o $@ $<
$(OUT)/probes-%.o: $(OUT)/probes-%.c
	$(CC) $(LIES_CFLAGS) -c -o $@ $<

LIAR = $(patsubst %,$(OUT)/test/lies/%.o,lies probes numbers) $(patsubst %,$(OUT)/test/%.o,fake domain0 region) \
  $(OUT)/xen/carry.o $(RUNTIME_IN_FILES)
$(OUT)/lies-cuda: $(OUT)/test/lies/cuda.o $(CUDA:%.c=$(OUT)/%.o) $(OUT)/generated/stubs.o $(OUT)/generated/entries.o $(OUT)/generated/symbols.o
$(OUT)/lies-nvml: $(OUT)/test/lies/nvml.o $(NVML:%.c=$(OUT)/%.o) $(OUT)/generated-nvml/stubs.o $(OUT)/generated-nvml/entries.o $(OUT)/generated-nvml/symbols.o
$(OUT)/lies-opencl: $(OUT)/test/lies/opencl.o $(OPENCL_OBJECTS)
$(OUT)/lies-cupti: $(OUT)/test/lies/cupti.o $(CUPTI_OBJECTS)
$(OUT)/lies-%: $(OUT)/probes-%.o $(LIAR)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--wrap=ob_send -o $@ $(filter %.o,$^) -lpthread -ldl

# The sanitizers' own limits: what a lying answer asks for is not to be had, and what a process
# leaves at its end does not matter.
.PHONY: run-lies
run-lies: $(LYING:%=$(OUT)/lies-%)
	@export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0; \
	for library in $(LYING); do \
	  sh test/run.sh lies "of $$library" $(OUT)/lies-$$library.log $(OUT)/lies-$$library || exit 1; \
	done

PARTS += lies
test-lies: lies
sanitize: many-lies
.PHONY: lies many-lies
lies:
	@if echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address,undefined -x c -o /dev/null - 2>/dev/null; then \
	  $(MAKE) -s run-lies OUT=$(LIES) CFLAGS="$(SANITIZED)"; \
	else echo "skipped: lies (it wants the compiler's sanitizers)"; fi
many-lies:
	OUTBOARD_LONG=1 $(MAKE) lies
