/* SPDX-License-Identifier: Apache-2.0
 * Attacks the machine that runs its kernel, if that is a processor: a kernel with inline assembly
 * makes system calls of the process that it is code of; or a library does, in the place of a kernel
 * in a program binary of PoCL's. None may get through. Each is harmless
 * where it does: its arguments are wrong in a way that the kernel looks at behind its permission,
 * or it changes nothing.
 *
 *   attacker [--child NAME] [--binary LIBRARY] PROCESS [FILE]...
 *
 * PROCESS is one of that machine's that is to be out of reach, FILEs are some of its. --child
 * leaves a process of that name behind; --binary has LIBRARY attack (hostile/hostile.c). Prints
 * what got through, then how much was tried and how much of it that was.
 */
#define _GNU_SOURCE /* memmem */
#include "attack.h"
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls that headers may not know. The numbers are the same on every architecture. */
enum {
    PIDFD_SEND_SIGNAL = 424,
    IO_URING_SETUP = 425,
    OPEN_TREE = 428,
    MOVE_MOUNT = 429,
    FSOPEN = 430,
    FSMOUNT = 432,
    PIDFD_OPEN = 434,
    CLONE3 = 435,
    PIDFD_GETFD = 438,
    PROCESS_MADVISE = 440,
    MOUNT_SETATTR = 442,
    LANDLOCK_CREATE_RULESET = 444,
};

static const char source[] =
    "long call(long n, long a, long b, long c, long d, long e, long f) {\n"
    "  long r;\n"
    "#ifdef __x86_64__\n"
    "  __asm__ volatile(\"mov %5, %%r10; mov %6, %%r8; mov %7, %%r9; syscall\" : \"=a\"(r)\n"
    "    : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c), \"r\"(d), \"r\"(e), \"r\"(f)\n"
    "    : \"rcx\", \"r11\", \"r10\", \"r8\", \"r9\", \"memory\");\n"
    "#else\n"
    "  __asm__ volatile(\"mov x8, %1; mov x0, %2; mov x1, %3; mov x2, %4; mov x3, %5;\"\n"
    "    \" mov x4, %6; mov x5, %7; svc #0; mov %0, x0\" : \"=r\"(r)\n"
    "    : \"r\"(n), \"r\"(a), \"r\"(b), \"r\"(c), \"r\"(d), \"r\"(e), \"r\"(f)\n"
    "    : \"x0\", \"x1\", \"x2\", \"x3\", \"x4\", \"x5\", \"x8\", \"memory\");\n"
    "#endif\n"
    "  return r;\n"
    "}\n"
    /* So that another library fits in the place of this one. */
    "constant uchar room[1 << 16] = {1};\n"
    "kernel void attack(global const long *calls, global long *results,\n"
    "                   global const char *texts, int count) {\n"
    "  if (count < 0) results[0] = room[-count & 0xffff];\n"
    "  for (int i = 0; i < count; i++) {\n"
    "    global const long *c = calls + i * 8;\n"
    "    long a[6];\n"
    "    for (int k = 0; k < 6; k++) {\n"
    "      int kind = (c[1] >> 4 * k) & 15;\n"
    "      a[k] = kind == 1 ? (long)(texts + c[2 + k]) : kind == 2 ? results[i - 1] : c[2 + k];\n"
    "    }\n"
    "    results[i] = call(c[0], a[0], a[1], a[2], a[3], a[4], a[5]);\n"
    "  }\n"
    "}\n"
    /* The child names itself, and waits. */
    "kernel void leave(global const long *calls, global long *results, global const char *name) {\n"
    "  results[0] = call(calls[0], 17, 0, 0, 0, 0, 0);\n"
    "  if (results[0] == 0)\n"
    "    for (call(calls[1], 15, (long)name, 0, 0, 0, 0);;)\n"
    "      call(calls[2], 0, 0, 0, 0, 0, 0);\n"
    "}\n";

typedef struct attack {
    const char *name;
    bool is_file;
    long words[WORDS];
} attack;

static attack attacks[MOST];
static int count;
static char texts[TEXTS];
static size_t used = 1;

static long text(const char *of) {
    size_t length = strlen(of) + 1;
    if (used + length > sizeof texts) {
        fprintf(stderr, "too many texts\n");
        exit(1);
    }
    memcpy(texts + used, of, length);
    used += length;
    return (long)(used - length);
}

static attack *add(const char *name, long number) {
    if (count == MOST) {
        fprintf(stderr, "too many attacks\n");
        exit(1);
    }
    attacks[count] = (attack){.name = name, .words = {number}};
    return &attacks[count++];
}

static void try_call(const char *name, long number, long a, long b, long c, long d, long e) {
    attack *one = add(name, number);
    long arguments[] = {a, b, c, d, e, 0};
    memcpy(one->words + 2, arguments, sizeof arguments);
}

static void set_text(attack *one, int argument, const char *value) {
    one->words[2 + argument] = text(value);
    one->words[1] |= (long)TEXT << KIND_BITS * argument;
}

static void try_open(const char *path, int flags) {
    attack *one = add(path, SYS_openat);
    one->is_file = true;
    one->words[2] = AT_FDCWD;
    one->words[4] = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    set_text(one, 1, path);
}

/* Whether something can be made in a folder. */
static void try_folder(const char *path) {
    attack *one = add(path, SYS_faccessat);
    one->is_file = true;
    one->words[2] = AT_FDCWD;
    one->words[4] = W_OK;
    set_text(one, 1, path);
}

/* A call whose first argument is a path. */
static void try_path(const char *name, long number, const char *path, long b, long c) {
    attack *one = add(name, number);
    one->words[3] = b;
    one->words[4] = c;
    set_text(one, 0, path);
}

/* ---- what is tried --------------------------------------------------------------------------- */

#define CALL(NAME, ...) CALL_(NAME, __VA_ARGS__, 0, 0, 0, 0, 0)
#define CALL_(NAME, A, B, C, D, E, ...) try_call(#NAME, SYS_##NAME, (A), (B), (C), (D), (E))
#define NEWER(NUMBER, ...) NEWER_(NUMBER, __VA_ARGS__, 0, 0, 0, 0, 0)
#define NEWER_(NUMBER, A, B, C, D, E, ...) try_call(#NUMBER, NUMBER, (A), (B), (C), (D), (E))

enum { SIGNAL_THAT_CHANGES_NOTHING = 18, NO_SUCH_DESCRIPTOR = 999 };

static void processes(long other) {
    CALL(ptrace, 2, other);
    CALL(process_vm_readv, other);
    CALL(process_vm_writev, other);
    CALL(kcmp, other, other);
    CALL(kill, other, SIGNAL_THAT_CHANGES_NOTHING);
    try_call("kill, only asked", SYS_kill, other, 0, 0, 0, 0);
    CALL(tkill, other, SIGNAL_THAT_CHANGES_NOTHING);
    CALL(tgkill, other, other, SIGNAL_THAT_CHANGES_NOTHING);
    CALL(rt_sigqueueinfo, other, SIGNAL_THAT_CHANGES_NOTHING);
    CALL(rt_tgsigqueueinfo, other, other, SIGNAL_THAT_CHANGES_NOTHING);
    NEWER(PIDFD_OPEN, other);
    NEWER(PIDFD_SEND_SIGNAL, NO_SUCH_DESCRIPTOR, SIGNAL_THAT_CHANGES_NOTHING);
    NEWER(PIDFD_GETFD, NO_SUCH_DESCRIPTOR);
    NEWER(PROCESS_MADVISE, NO_SUCH_DESCRIPTOR);
    CALL(setpriority, 0, other, 0);
    try_call("setpriority of a user", SYS_setpriority, 2, 0, 0, 0, 0);
    CALL(getpriority, 0, other);
    CALL(sched_setaffinity, other);
    CALL(sched_setscheduler, other);
    CALL(sched_setparam, other);
    CALL(sched_setattr, other);
    CALL(ioprio_set, 1, other);
    CALL(prlimit64, other, 7);
    CALL(get_robust_list, other);
    CALL(migrate_pages, other);
    CALL(move_pages, other);
    CALL(getpgid, other);
    CALL(getsid, other);
    CALL(setpgid, 0, other);
    try_call("fcntl F_SETOWN", SYS_fcntl, 0, 8, other, 0, 0);
    try_call("fcntl F_SETSIG", SYS_fcntl, 0, 10, SIGNAL_THAT_CHANGES_NOTHING, 0, 0);
    try_call("prctl PR_SET_PDEATHSIG", SYS_prctl, 1, 0, 0, 0, 0);
    /* CLONE_PARENT and CLONE_SIGHAND; CLONE_NEWUSER and CLONE_FS: neither goes together. */
    try_call("clone CLONE_PARENT", SYS_clone, 0x8800, 0, 0, 0, 0);
    try_call("clone CLONE_NEWUSER", SYS_clone, 0x10000200, 0, 0, 0, 0);
    NEWER(CLONE3, 0);
}

static void machine(void) {
    CALL(unshare, 0);
    CALL(setns, NO_SUCH_DESCRIPTOR);
    CALL(mount, 0);
    try_path("umount2", SYS_umount2, "/nowhere", 0, 0);
    try_path("chroot", SYS_chroot, "/", 0, 0);
    try_path("pivot_root", SYS_pivot_root, "/nowhere", 0, 0);
    NEWER(FSOPEN, 0);
    NEWER(FSMOUNT, NO_SUCH_DESCRIPTOR);
    NEWER(MOVE_MOUNT, NO_SUCH_DESCRIPTOR);
    NEWER(OPEN_TREE, NO_SUCH_DESCRIPTOR);
    NEWER(MOUNT_SETATTR, NO_SUCH_DESCRIPTOR);
    CALL(open_by_handle_at, NO_SUCH_DESCRIPTOR);
    CALL(name_to_handle_at, NO_SUCH_DESCRIPTOR);
    CALL(fanotify_init, 0);
    CALL(bpf, 0);
    CALL(perf_event_open, 0);
    CALL(userfaultfd, 0);
    NEWER(IO_URING_SETUP, 0);
    NEWER(LANDLOCK_CREATE_RULESET, 0, 0, 1);
    CALL(seccomp, 2);
    CALL(keyctl, 0, -3);
    CALL(add_key, 0);
    CALL(request_key, 0);
    CALL(init_module, 0);
    CALL(finit_module, NO_SUCH_DESCRIPTOR);
    CALL(delete_module, 0);
    CALL(reboot, 0);
    CALL(swapon, 0);
    CALL(swapoff, 0);
    CALL(settimeofday, 0);
    CALL(clock_settime, 0);
    CALL(sethostname, 0, -1);
    CALL(setdomainname, 0, -1);
    CALL(syslog, 10);
    try_path("acct", SYS_acct, "/nowhere", 0, 0);
    CALL(quotactl, 0);
    CALL(personality, 0xffffffff);
    CALL(setuid, 0);
    CALL(setgid, 0);
    CALL(setresuid, -1, -1, -1);
    CALL(setgroups, -1);
    CALL(capset, 0);
    CALL(shmget, 0);
    CALL(semget, 0);
    CALL(msgget, 0);
    CALL(mq_open, 0);
    CALL(execveat, NO_SUCH_DESCRIPTOR);
    try_call("ioctl TIOCSTI", SYS_ioctl, 0, 0x5412, 0, 0, 0);
    try_call("ioctl FIOSETOWN", SYS_ioctl, 0, 0x8901, 0, 0, 0);
#ifdef __x86_64__
    CALL(iopl, 0);
    CALL(ioperm, 0);
    CALL(modify_ldt, 0);
    CALL(kexec_load, 0, 17);
#endif
}

static void networks(void) {
    static const struct {
        const char *name;
        int family;
    } families[] = {{"socket inet", 2},    {"socket inet6", 10}, {"socket netlink", 16},
                    {"socket packet", 17}, {"socket alg", 38},   {"socket vsock", 40}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        try_call(families[i].name, SYS_socket, families[i].family, 2, 0, 0, 0);
}

static const char *const secrets[] = {
    "/etc/shadow", "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname", "/etc/machine-id",
    "/etc/ssl", "/etc/outboard", "/root", "/home", "/var", "/var/lib", "/var/log", "/run", "/mnt",
    "/media", "/srv", "/boot", "/sbin", "/usr/sbin", "/usr/bin/sh", "/bin/sh", "/usr/src",
    "/usr/include", "/usr/local/bin", "/proc/kcore", "/proc/kmsg", "/proc/kpageflags", "/dev/mem",
    "/dev/kmsg", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/vda", "/dev/sda", "/dev/kvm",
    "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/vhost-vsock", "/sys/fs/cgroup",
    "/sys/kernel/debug", "/sys/kernel/security", "/sys/class/net", "/sys/firmware",
    "/proc/self/root/etc/shadow", "/proc/1/root/etc/passwd", "/proc/self/cwd/etc/passwd",
    "/dev/shm/../../etc/shadow", "/tmp/../../../etc/passwd"};

static const char *const written[] = {
    "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/drop_caches", "/proc/sys/user/max_user_namespaces", "/sys/power/state",
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/sys/devices/system/cpu/online"};

static const char *const folders[] = {"/", "/etc", "/usr/lib", "/lib", "/usr/share", "/sys", "/dev",
                                      "/proc/sys/kernel"};

static void files(long other, int more, char **named) {
    static char of_process[16][64];
    static const char *const parts[] = {"environ", "mem",     "maps", "fd",   "root",  "cwd",
                                        "exe",     "cmdline", "stat", "task", "status"};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        try_open(secrets[i], O_RDONLY);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        try_open(written[i], O_WRONLY);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        try_folder(folders[i]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(of_process[i], sizeof of_process[i], "/proc/%ld/%s", other, parts[i]);
        try_open(of_process[i], O_RDONLY);
    }
    for (int i = 0; i < more; i++) {
        try_open(named[i], O_RDONLY);
        try_open(named[i], O_WRONLY);
    }
}

/* ---- a library in the place of a kernel ------------------------------------------------------ */

enum { PROGRAM_BINARY_SIZES = 0x1165, PROGRAM_BINARIES = 0x1166 };

static const char elf[] = "\177ELF";

typedef struct bytes {
    unsigned char *at;
    size_t size;
} bytes;

static bytes read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    bytes all = {.at = malloc(1 << 20)};
    if (file == NULL || all.at == NULL) {
        perror(path);
        exit(1);
    }
    all.size = fread(all.at, 1, 1 << 20, file);
    fclose(file);
    return all;
}

static unsigned char *find(bytes in, const void *what, size_t length) {
    return memmem(in.at, in.size, what, length);
}

/* Hands the list to the library. */
static void arm(bytes library) {
    attack_list *list = (attack_list *)find(library, ATTACK_MARK, sizeof ATTACK_MARK);
    if (list == NULL) {
        fprintf(stderr, "the library has no list\n");
        exit(1);
    }
    list->count = count;
    for (int i = 0; i < count; i++)
        memcpy(list->words + i * WORDS, attacks[i].words, sizeof attacks[i].words);
    memcpy(list->texts, texts, sizeof texts);
}

/* PoCL's binary has the length of each file before it. Returns how often it was replaced. */
static int replace_libraries(bytes binary, bytes library) {
    int replaced = 0;
    bytes rest = binary;
    for (unsigned char *at; (at = find(rest, elf, sizeof elf - 1)) != NULL;) {
        uint32_t length;
        memcpy(&length, at - sizeof length, sizeof length);
        rest = (bytes){.at = at + 1, .size = (size_t)(binary.at + binary.size - (at + 1))};
        if (length < library.size || length > rest.size + 1)
            continue;
        memset(at, 0, length);
        memcpy(at, library.at, library.size);
        replaced++;
    }
    return replaced;
}

static bytes binary_of(cl_program program) {
    uint64_t size = 0;
    CHECK(clGetProgramInfo(program, PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes binary = {.at = malloc(size), .size = size};
    CHECK(clGetProgramInfo(program, PROGRAM_BINARIES, sizeof binary.at, &binary.at, NULL));
    return binary;
}

/* A program whose kernel "attack" is in the library. */
static cl_program with_library(const device *on, cl_program program, const char *path) {
    bytes library = read_all(path), binary = binary_of(program);
    arm(library);
    if (replace_libraries(binary, library) == 0) {
        fprintf(stderr, "no library has its place in the binary\n");
        exit(1);
    }
    cl_program made;
    int status;
    const unsigned char *from = binary.at;
    MAKE(made, clCreateProgramWithBinary(on->context, 1, &on->id, &binary.size, &from, &status,
                                         MADE));
    CHECK(clBuildProgram(made, 1, &on->id, NULL, NULL, NULL));
    return made;
}

/* ---- how it ends ----------------------------------------------------------------------------- */

/* Whether a call was not let in, or saw nothing of the machine's. */
static bool is_refused(const attack *one, long result) {
    switch (-result) {
    case EPERM:
    case ENOSYS:
    case EACCES:
    case ESRCH:
    case EAFNOSUPPORT:
        return true;
    default:
        return one->is_file && (result == -ENOENT || result == -EROFS);
    }
}

static cl_mem filled(const device *on, const void *from, uint64_t bytes) {
    cl_mem made = buffer(on, bytes);
    CHECK(clEnqueueWriteBuffer(on->queue, made, 1, 0, bytes, from, 0, NULL, NULL));
    return made;
}

static void set(cl_kernel kernel, uint32_t index, cl_mem *memory) {
    CHECK(clSetKernelArg(kernel, index, sizeof *memory, memory));
}

/* The kernel makes so many calls of the list. */
static int run(const device *on, cl_program program, int calls_made) {
    static long words[MOST * WORDS], results[MOST];
    for (int i = 0; i < count; i++)
        memcpy(words + i * WORDS, attacks[i].words, sizeof attacks[i].words);
    cl_kernel kernel;
    MAKE(kernel, clCreateKernel(program, "attack", MADE));
    cl_mem calls = filled(on, words, sizeof words), made = filled(on, results, sizeof results),
           named = filled(on, texts, sizeof texts);
    set(kernel, 0, &calls);
    set(kernel, 1, &made);
    set(kernel, 2, &named);
    CHECK(clSetKernelArg(kernel, 3, sizeof calls_made, &calls_made));
    start(on, kernel, 1, NULL);
    CHECK(clEnqueueReadBuffer(on->queue, made, 1, 0, sizeof results, results, 0, NULL, NULL));
    int through = 0;
    for (int i = 0; i < calls_made; i++)
        if (!is_refused(&attacks[i], results[i])) {
            printf("got through: %s: %ld\n", attacks[i].name, results[i]);
            through++;
        }
    return through;
}

/* A process that is to end with the session. */
static void leave(const device *on, cl_program program, const char *name) {
#ifdef __x86_64__
    long words[] = {SYS_fork, SYS_prctl, SYS_pause}, pid = -1;
#else
    long words[] = {SYS_clone, SYS_prctl, SYS_sched_yield}, pid = -1;
#endif
    cl_kernel kernel;
    MAKE(kernel, clCreateKernel(program, "leave", MADE));
    cl_mem calls = filled(on, words, sizeof words), made = filled(on, &pid, sizeof pid),
           child = filled(on, name, strlen(name) + 1);
    set(kernel, 0, &calls);
    set(kernel, 1, &made);
    set(kernel, 2, &child);
    start(on, kernel, 1, NULL);
    CHECK(clEnqueueReadBuffer(on->queue, made, 1, 0, sizeof pid, &pid, 0, NULL, NULL));
    printf("left behind: %s\n", pid > 0 ? name : "nothing");
}

/* The value of an option that may come next; NULL where it does not. */
static const char *option(char ***arguments, const char *name) {
    if (**arguments == NULL || strcmp(**arguments, name) != 0)
        return NULL;
    const char *value = (*arguments)[1];
    *arguments += value == NULL ? 1 : 2;
    return value;
}

int main(int argc, char **argv) {
    char **arguments = argv + 1;
    const char *child = option(&arguments, "--child"), *library = option(&arguments, "--binary");
    if (*arguments == NULL) {
        fprintf(stderr,
                "usage: attacker [--child NAME] [--binary LIBRARY] PROCESS [FILE]...\n");
        return 2;
    }
    long other = atol(arguments[0]);
    processes(other);
    machine();
    networks();
    int calls = count;
    files(other, argc - (int)(arguments + 1 - argv), arguments + 1);
    device device = open_device();
    cl_program program = build(&device, source, NULL);
    if (library != NULL) {
        /* PoCL makes a kernel's library when it starts. */
        run(&device, program, 0);
        program = with_library(&device, program, library);
    }
    int through = run(&device, program, count);
    if (child != NULL)
        leave(&device, program, child);
    printf("%d calls and %d files: %d got through\n", calls, count - calls, through);
    return 0;
}
