// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.HashMap;
import java.util.Map;

/**
 * The calls of the kernel that a worker may make (see {@link WorkerFilter}), with their numbers
 * (asm/unistd.h of Linux). An OpenCL driver in a worker may start programs: they have the same
 * filter, and no more rights than the worker.
 */
final class WorkerCalls {
  /** The newest call that this list knows of; it refuses older ones that it does not have. */
  static final int NEWEST = 469;

  /** Name, number on x86-64, number on AArch64; a dash where there is no such call. */
  private static final String TABLE =
      """
      # Memory.
      mmap 9 222
      munmap 11 215
      mprotect 10 226
      mremap 25 216
      msync 26 227
      mincore 27 232
      madvise 28 233
      brk 12 214
      mlock 149 228
      mlock2 325 284
      munlock 150 229
      mlockall 151 230
      munlockall 152 231
      memfd_create 319 279
      membarrier 324 283
      get_mempolicy 239 236
      set_mempolicy 238 237
      mbind 237 235
      # Files and descriptors.
      read 0 63
      write 1 64
      readv 19 65
      writev 20 66
      pread64 17 67
      pwrite64 18 68
      preadv 295 69
      pwritev 296 70
      preadv2 327 286
      pwritev2 328 287
      open 2 -
      openat 257 56
      openat2 437 437
      creat 85 -
      close 3 57
      close_range 436 436
      dup 32 23
      dup2 33 -
      dup3 292 24
      lseek 8 62
      fcntl 72 25
      flock 73 32
      fsync 74 82
      fdatasync 75 83
      sync_file_range 277 84
      truncate 76 45
      ftruncate 77 46
      fallocate 285 47
      fadvise64 221 223
      readahead 187 213
      sendfile 40 71
      copy_file_range 326 285
      # Their names, and what is known of them.
      stat 4 -
      fstat 5 80
      lstat 6 -
      newfstatat 262 79
      statx 332 291
      statfs 137 43
      fstatfs 138 44
      access 21 -
      faccessat 269 48
      faccessat2 439 439
      readlink 89 -
      readlinkat 267 78
      getdents 78 -
      getdents64 217 61
      getxattr 191 8
      lgetxattr 192 9
      fgetxattr 193 10
      listxattr 194 11
      llistxattr 195 12
      flistxattr 196 13
      getcwd 79 17
      chdir 80 49
      fchdir 81 50
      mkdir 83 -
      mkdirat 258 34
      rmdir 84 -
      unlink 87 -
      unlinkat 263 35
      rename 82 -
      renameat 264 38
      renameat2 316 276
      link 86 -
      linkat 265 37
      symlink 88 -
      symlinkat 266 36
      chmod 90 -
      fchmod 91 52
      fchmodat 268 53
      umask 95 166
      utime 132 -
      utimes 235 -
      futimesat 261 -
      utimensat 280 88
      # Waiting for descriptors.
      pipe 22 -
      pipe2 293 59
      poll 7 -
      ppoll 271 73
      select 23 -
      pselect6 270 72
      epoll_create 213 -
      epoll_create1 291 20
      epoll_ctl 233 21
      epoll_wait 232 -
      epoll_pwait 281 22
      epoll_pwait2 441 441
      eventfd 284 -
      eventfd2 290 19
      signalfd 282 -
      signalfd4 289 74
      timerfd_create 283 85
      timerfd_settime 286 86
      timerfd_gettime 287 87
      inotify_init 253 -
      inotify_init1 294 26
      inotify_add_watch 254 27
      inotify_rm_watch 255 28
      # Sockets; socket itself is below.
      socketpair 53 199
      bind 49 200
      listen 50 201
      accept 43 202
      accept4 288 242
      connect 42 203
      shutdown 48 210
      getsockname 51 204
      getpeername 52 205
      getsockopt 55 209
      setsockopt 54 208
      sendto 44 206
      recvfrom 45 207
      sendmsg 46 211
      recvmsg 47 212
      sendmmsg 307 269
      recvmmsg 299 243
      # Threads, and the programs by which an OpenCL driver builds kernels.
      fork 57 -
      vfork 58 -
      execve 59 221
      exit 60 93
      exit_group 231 94
      wait4 61 260
      waitid 247 95
      futex 202 98
      futex_waitv 449 449
      futex_wake 454 454
      futex_wait 455 455
      futex_requeue 456 456
      set_robust_list 273 99
      get_robust_list 274 100
      set_tid_address 218 96
      rseq 334 293
      arch_prctl 158 -
      prctl 157 167
      restart_syscall 219 128
      pidfd_open 434 434
      gettid 186 178
      getpid 39 172
      getppid 110 173
      getpgrp 111 -
      getpgid 121 155
      getsid 124 156
      # Processors and priorities.
      sched_yield 24 124
      sched_getaffinity 204 123
      sched_setaffinity 203 122
      sched_getscheduler 145 120
      sched_setscheduler 144 119
      sched_getparam 143 121
      sched_setparam 142 118
      sched_getattr 315 275
      sched_get_priority_max 146 125
      sched_get_priority_min 147 126
      getpriority 140 141
      setpriority 141 140
      getcpu 309 168
      # Time.
      time 201 -
      gettimeofday 96 169
      clock_gettime 228 113
      clock_getres 229 114
      nanosleep 35 101
      clock_nanosleep 230 115
      getitimer 36 102
      setitimer 38 103
      alarm 37 -
      pause 34 -
      timer_create 222 107
      timer_settime 223 110
      timer_gettime 224 108
      timer_getoverrun 225 109
      timer_delete 226 111
      times 100 153
      # Signals; kill and tgkill are below.
      rt_sigaction 13 134
      rt_sigprocmask 14 135
      rt_sigreturn 15 139
      rt_sigpending 127 136
      rt_sigtimedwait 128 137
      rt_sigsuspend 130 133
      sigaltstack 131 132
      # The process and the machine.
      getuid 102 174
      geteuid 107 175
      getgid 104 176
      getegid 108 177
      getresuid 118 148
      getresgid 120 150
      getgroups 115 158
      capget 125 90
      uname 63 160
      sysinfo 99 179
      getrandom 318 278
      getrusage 98 165
      getrlimit 97 163
      setrlimit 160 164
      # Allowed with the arguments that WorkerFilter looks at.
      clone 56 220
      socket 41 198
      ioctl 16 29
      kill 62 129
      tgkill 234 131
      prlimit64 302 261
      # Said not to be there, as the C library then takes clone.
      clone3 435 435
      """;

  private static final int X86 = 1;
  private static final int ARM = 2;
  private static final String NONE = "-";

  private WorkerCalls() {}

  /** The numbers by name, on x86-64. */
  static Map<String, Integer> ofX86() {
    return numbers(X86);
  }

  /** The numbers by name, on AArch64. */
  static Map<String, Integer> ofArm() {
    return numbers(ARM);
  }

  private static Map<String, Integer> numbers(int column) {
    Map<String, Integer> numbers = new HashMap<>();
    TABLE
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" ", -1))
        .filter(words -> !words[column].equals(NONE))
        .forEach(words -> numbers.put(words[0], Integer.valueOf(words[column])));
    return numbers;
  }
}
