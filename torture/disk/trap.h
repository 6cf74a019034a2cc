// Catches system calls of this process, also those that do not go through libc: Bun makes many of them itself.
#ifndef ADBOOTH_TRAP_H
#define ADBOOTH_TRAP_H

/** Makes a system call that is not caught again. The result is the kernel's: negative for an error. */
long untrapped(long number, long a, long b, long c, long d, long e, long f);

/** Answers a caught call, in the thread that made it, with all signals blocked. The result goes to the caller as it is. */
typedef long (*trapped_call)(long number, const long arguments[6]);

/** From here on the numbers are caught in all threads. Exits the process where the kernel refuses. */
void trap(const int *numbers, int count, trapped_call answer);

#endif
