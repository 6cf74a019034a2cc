// Loaded into the executable with LD_PRELOAD: makes its disk slow or faulty, and records what is done to it. By hand:
//   cc -O2 -shared -fPIC -o /tmp/slow-disk.so torture/disk/*.c
//   LD_PRELOAD=/tmp/slow-disk.so ADBOOTH_DISK_SYNC_MS=20 dist/adbooth serve
// (Only for programs that start no others: those would inherit the filter without its handler.)
// ADBOOTH_DISK_SYNC_MS: each sync takes so much longer (fractions allowed). ADBOOTH_DISK_FAIL_SYNC=N: the first N syncs fail with EIO.
// The torture sets ADBOOTH_DISK_CONTROL (control.h) and ADBOOTH_DISK_ROOT instead, and changes its mind while the program runs.
#define _GNU_SOURCE
#include "calls.h"
#include "control.h"
#include "files.h"
#include "trap.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct entry {
  int number;
  long (*answer)(long number, const long a[6]);
};

static long call_refused(long number, const long a[6]) {
  (void)number, (void)a;
  return -ENOSYS;
}

// The first two are all that a slow disk needs.
static const struct entry ENTRIES[] = {
    {SYS_fsync, call_sync},
    {SYS_fdatasync, call_sync},
    {SYS_read, call_read},
    {SYS_pread64, call_read},
    {SYS_readv, call_read},
    {SYS_preadv, call_read},
    {SYS_write, call_write},
    {SYS_pwrite64, call_write},
    {SYS_writev, call_write_pieces},
    {SYS_pwritev, call_write_pieces},
    {SYS_pwritev2, call_write_pieces},
    {SYS_ftruncate, call_truncate},
    {SYS_truncate, call_truncate_named},
    {SYS_fallocate, call_copy},
    {SYS_copy_file_range, call_copy},
    {SYS_sendfile, call_copy},
    {SYS_mmap, call_map},
    {SYS_io_uring_setup, call_refused},
    {SYS_openat, call_open},
    {SYS_mkdirat, call_make_folder},
    {SYS_unlinkat, call_unlink},
    {SYS_renameat2, call_rename},
    {SYS_linkat, call_link},
#ifdef SYS_renameat
    {SYS_renameat, call_rename},
#endif
#ifdef SYS_open
    {SYS_open, call_open},
    {SYS_mkdir, call_make_folder},
    {SYS_unlink, call_unlink},
    {SYS_rmdir, call_unlink},
    {SYS_rename, call_rename},
    {SYS_link, call_link},
#endif
};
static const int ENTRY_COUNT = sizeof ENTRIES / sizeof ENTRIES[0];

static long on_call(long number, const long a[6]) {
  for (int i = 0; i < ENTRY_COUNT; i++)
    if (ENTRIES[i].number == number) return ENTRIES[i].answer(number, a);
  return -ENOSYS;
}

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

static void share_control(const char *path) {
  struct stat found;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || fstat(file, &found) != 0) {
    fprintf(stderr, "disk shim: %s cannot be opened\n", path);
    _exit(70);
  }
  control = mmap(NULL, found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
}

static void own_control(void) {
  static struct control own = {.tail = CONTROL_BYTES, .capacity = CONTROL_BYTES, .sync_error = EIO};
  control = &own;
  control->sync_ns = (uint64_t)(strtod(setting("ADBOOTH_DISK_SYNC_MS"), NULL) * 1e6);
  control->failing_syncs = atoi(setting("ADBOOTH_DISK_FAIL_SYNC"));
}

__attribute__((constructor)) static void load(void) {
  int numbers[sizeof ENTRIES / sizeof ENTRIES[0]];
  const char *shared = setting("ADBOOTH_DISK_CONTROL");
  if (*shared == '\0') own_control();
  else share_control(shared);
  disk_root = setting("ADBOOTH_DISK_ROOT");
  for (int i = 0; i < ENTRY_COUNT; i++) numbers[i] = ENTRIES[i].number;
  trap(numbers, *disk_root == '\0' ? 2 : ENTRY_COUNT, on_call);
}
