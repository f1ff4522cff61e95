/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the program begins, instead of the C library's own start file, which since glibc 2.34 asks
 * for a __libc_start_main that older ones lack. The old version does the same here: nothing is to
 * be initialised before main. (System V ABI, AMD64 supplement, 3.4.1 "Initial Stack and Register
 * State", and the registers of the AArch64 procedure call standard; LSB Core,
 * "__libc_start_main".)
 */
#if defined(__x86_64__)
__asm__(".symver __libc_start_main, __libc_start_main@GLIBC_2.2.5\n"
        ".globl _start\n"
        ".hidden _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "    xorl %ebp, %ebp\n"
        "    movq %rdx, %r9\n"          /* the dynamic linker's end */
        "    popq %rsi\n"               /* argc */
        "    movq %rsp, %rdx\n"         /* argv */
        "    andq $-16, %rsp\n"
        "    pushq %rax\n"
        "    pushq %rsp\n"              /* the stack's end */
        "    xorl %r8d, %r8d\n"         /* no code at the end */
        "    xorl %ecx, %ecx\n"         /* nor at the start */
        "    movq main@GOTPCREL(%rip), %rdi\n"
        "    call *__libc_start_main@GOTPCREL(%rip)\n"
        "    hlt\n"
        ".size _start, . - _start\n");
#elif defined(__aarch64__)
__asm__(".symver __libc_start_main, __libc_start_main@GLIBC_2.17\n"
        ".globl _start\n"
        ".hidden _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "    mov x29, #0\n"             /* no frame above */
        "    mov x30, #0\n"
        "    mov x5, x0\n"              /* the dynamic linker's end */
        "    ldr x1, [sp]\n"            /* argc */
        "    add x2, sp, #8\n"          /* argv */
        "    mov x6, sp\n"              /* the stack's end */
        "    mov x4, #0\n"              /* no code at the end */
        "    mov x3, #0\n"              /* nor at the start */
        "    adrp x0, :got:main\n"
        "    ldr x0, [x0, #:got_lo12:main]\n"
        "    bl __libc_start_main\n"
        "    brk #1\n"
        ".size _start, . - _start\n");
#endif
