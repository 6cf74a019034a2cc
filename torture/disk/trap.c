// A seccomp filter turns each caught system call into SIGSYS, and the handler answers it. Only the call made by `untrapped` passes, which the
// filter tells by the address of its instruction.
#define _GNU_SOURCE
#include "trap.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
__asm__(".text\n.globl untrapped\n.hidden after_untrapped\n.globl after_untrapped\n.type untrapped, @function\n"
        "untrapped:\n"
        "mov %rdi, %rax\nmov %rsi, %rdi\nmov %rdx, %rsi\nmov %rcx, %rdx\nmov %r8, %r10\nmov %r9, %r8\nmov 8(%rsp), %r9\n"
        "syscall\n"
        "after_untrapped:\nret\n");
static void arguments_of(const ucontext_t *context, long arguments[6]) {
  const greg_t *registers = context->uc_mcontext.gregs;
  static const int order[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  for (int i = 0; i < 6; i++) arguments[i] = registers[order[i]];
}
static void answer_with(ucontext_t *context, long result) { context->uc_mcontext.gregs[REG_RAX] = result; }
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
__asm__(".text\n.globl untrapped\n.hidden after_untrapped\n.globl after_untrapped\n.type untrapped, %function\n"
        "untrapped:\n"
        "mov x8, x0\nmov x0, x1\nmov x1, x2\nmov x2, x3\nmov x3, x4\nmov x4, x5\nmov x5, x6\n"
        "svc #0\n"
        "after_untrapped:\nret\n");
static void arguments_of(const ucontext_t *context, long arguments[6]) {
  for (int i = 0; i < 6; i++) arguments[i] = (long)context->uc_mcontext.regs[i];
}
static void answer_with(ucontext_t *context, long result) { context->uc_mcontext.regs[0] = (unsigned long)result; }
#else
#error "only x86_64 and aarch64 are known here"
#endif

extern const char after_untrapped[] __attribute__((visibility("hidden")));

static trapped_call answer_call;

static void give_up(const char *what) {
  fprintf(stderr, "disk shim: %s\n", what);
  _exit(70);
}

/** Bun handles SIGSYS itself (a forbidden call is ENOSYS to it); ours has to stay. */
static long keep_handler(const long a[6]) {
  return a[0] == SIGSYS ? 0 : untrapped(SYS_rt_sigaction, a[0], a[1], a[2], a[3], 0, 0);
}

static void on_trap(int signal, siginfo_t *info, void *context) {
  (void)signal;
  int before = errno;
  long arguments[6];
  arguments_of(context, arguments);
  long number = info->si_syscall;
  if (number == SYS_rt_sigaction) answer_with(context, keep_handler(arguments));
  else answer_with(context, answer_call(number, arguments));
  errno = before;
}

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#define CALLS_MAX 64

/** Passes everything of another architecture and every call from `untrapped`; traps the numbers; passes the rest. */
static int build(struct sock_filter *filter, const int *numbers, int count) {
  uint64_t own = (uint64_t)(uintptr_t)after_untrapped;
  int n = 0;
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(arch));
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(nr));
  for (int i = 0; i <= count; i++) {
    int number = i == count ? SYS_rt_sigaction : numbers[i];
    // To the test of the address, over what is left of the list and the answer after it.
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, count - i + 1, 0);
  }
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(instruction_pointer));
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(instruction_pointer) + 4);
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  return n;
}

void trap(const int *numbers, int count, trapped_call answer) {
  static struct sock_filter filter[CALLS_MAX + 16];
  if (count > CALLS_MAX) give_up("too many system calls to catch");
  answer_call = answer;
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART};
  // The garbage collector must not suspend a thread that holds the lock of the journal.
  sigfillset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, NULL) != 0) give_up("SIGSYS cannot be handled");
  struct sock_fprog program = {.len = (unsigned short)build(filter, numbers, count), .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up("PR_SET_NO_NEW_PRIVS is refused");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) give_up("the kernel refuses a seccomp filter");
}
