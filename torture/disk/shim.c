// Loaded into the executable with LD_PRELOAD: makes its disk slow or faulty. By hand:
//   cc -O2 -shared -fPIC -o /tmp/slow-disk.so torture/disk/*.c
//   LD_PRELOAD=/tmp/slow-disk.so ADBOOTH_DISK_SYNC_MS=20 dist/adbooth serve
// (Only programs that start no others: what they start inherits the filter without its handler.)
// ADBOOTH_DISK_SYNC_MS: each sync takes so much longer (fractions allowed).
// ADBOOTH_DISK_FAIL_SYNC=N: the N-th sync fails with EIO, once. ADBOOTH_DISK_TRACE=1: tells of each sync on standard error.
#define _GNU_SOURCE
#include "trap.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long sync_ns;
static long failing_sync;
static int tracing;
static atomic_long syncs;

static void wait_ns(long ns) {
  struct timespec left = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  while (ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

static long on_call(long number, const long a[6]) {
  long nth = atomic_fetch_add(&syncs, 1) + 1;
  if (tracing) dprintf(2, "sync %ld: %s of %ld, thread %d\n", nth, number == SYS_fsync ? "fsync" : "fdatasync", a[0], gettid());
  wait_ns(sync_ns);
  if (nth == failing_sync) return -EIO;
  return untrapped(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL || *value == '\0' ? "0" : value;
}

__attribute__((constructor)) static void load(void) {
  static const int numbers[] = {SYS_fsync, SYS_fdatasync};
  sync_ns = (long)(strtod(setting("ADBOOTH_DISK_SYNC_MS"), NULL) * 1e6);
  failing_sync = atol(setting("ADBOOTH_DISK_FAIL_SYNC"));
  tracing = atoi(setting("ADBOOTH_DISK_TRACE"));
  trap(numbers, sizeof numbers / sizeof numbers[0], on_call);
}
