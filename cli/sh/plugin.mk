# SPDX-License-Identifier: Apache-2.0
# Builds a plug-in of Outboard into $(OUT)/plugins. To be included by a makefile that has set
#   NAME      the plug-in's name                       VERSION  its version
#   NEEDS     the host's libraries that it needs (sonames; may be empty)
#   FRONTEND  the file of its half in the client, if it has one: the soname of a library whose place it takes,
#             outboard-preload-NAME.so to stand before one, outboard-connect-SCHEME.so for a communicator
#   SYMBOLS   what it exports beside what its interface names, its variables for example (patterns; may be empty)
# and has Java in java/, resources (META-INF/services) in resources/ and C in c/. A library's C is
# generated from its interface. As it was named: a relative name of it has no space, wherever the
# two folders lie.
SDK := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
OUT ?= target
CC ?= gcc
BUILT_FOR := $(shell sed -n 's/^version=//p' $(SDK)/build.properties)
JDK := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/)
JAVA := $(shell find java -name '*.java')
C := $(wildcard c/*.c)
CLASSES := $(OUT)/classes
GENERATED = $(wildcard $(CLASSES)/META-INF/outboard/*)
EXPORTS = $(wildcard $(addsuffix /exports.map,$(GENERATED)))
JAR := $(OUT)/plugins/$(NAME).jar
LIBRARY := $(if $(FRONTEND),$(OUT)/plugins/$(FRONTEND))

.PHONY: all clean
all: $(JAR) $(LIBRARY)

$(JAR): $(JAVA) $(shell find resources -type f)
	@rm -rf $(CLASSES) && mkdir -p $(CLASSES) $(@D)
	$(JDK)javac --release 25 -d $(CLASSES) -cp $(SDK)/lib/outboard-sdk.jar -processorpath $(SDK)/lib/outboard-sdk.jar $(if $(wildcard $(NAME).lock),-Aoutboard.lock=$(NAME).lock) $(JAVA)
	@printf 'Outboard-Version: %s\nOutboard-Needs: %s\nImplementation-Title: %s\nImplementation-Version: %s\n' \
	  '$(BUILT_FOR)' '$(NEEDS)' '$(NAME)' '$(VERSION)' >$(OUT)/manifest
	$(JDK)jar --create --file $@ --manifest $(OUT)/manifest -C $(CLASSES) . -C resources .

# Exported is what a library's interface names, and SYMBOLS; without an interface what is marked
# OB_API.
$(LIBRARY): $(C) $(JAR)
	@sed 's/local:/$(addsuffix ;,$(SYMBOLS)) &/' $(EXPORTS) /dev/null >$(OUT)/exports.map
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -fPIC -fvisibility=hidden -shared -Wl,-z,nodelete,-z,relro,-z,now -Wl,--as-needed \
	  -Wl,-soname,$(FRONTEND) $(addprefix -I,$(GENERATED)) -I$(SDK)/include -o $@ $(C) $(wildcard $(addsuffix /stubs.c,$(GENERATED))) \
	  $(if $(EXPORTS),-Wl$(comma)--version-script=$(OUT)/exports.map) -L$(SDK)/lib -loutboard

clean:
	rm -rf $(OUT)

comma := ,
