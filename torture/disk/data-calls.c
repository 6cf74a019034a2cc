// Calls on open files: syncs, reads, writes, truncations.
#define _GNU_SOURCE
#include "calls.h"
#include "control.h"
#include "files.h"
#include "trap.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { DONE, FAILED, LIE };

static void wait_ns(uint64_t ns) {
  struct timespec left = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  while (ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

static uint64_t spread(uint64_t most, uint64_t nth) { return most == 0 ? 0 : (nth * 0x9e3779b97f4a7c15ull >> 20) % most; }

/** Takes one of the failures that are due. */
static int fails_now(void) {
  uint32_t due = atomic_load(&control->failing_syncs);
  while (due > 0 && !atomic_compare_exchange_weak(&control->failing_syncs, &due, due - 1)) continue;
  return due > 0;
}

static uint64_t note_sync(struct record head, const char *path) {
  lock_journal();
  head.first_length = strlen(path);
  uint64_t start = record(head, path, NULL);
  unlock_journal();
  return start;
}

long call_sync(long number, const long a[6]) {
  uint64_t inode = 0;
  char path[PATH_MAX] = "";
  int is_ours = *disk_root == '\0' || file_of(a[0], &inode) || folder_of(a[0], path);
  if (!is_ours) return PASS(number, a);
  uint64_t nth = atomic_fetch_add(&control->syncs, 1) + 1;
  uint64_t began = note_sync((struct record){.kind = RECORD_SYNC_BEGIN, .inode = inode}, path);
  wait_ns(atomic_load(&control->sync_ns) + spread(atomic_load(&control->sync_spread_ns), nth));
  uint32_t outcome = fails_now() ? FAILED : atomic_load(&control->lying) ? LIE : DONE;
  // What is recorded needs no real disk.
  long result = outcome != DONE || control->capacity > CONTROL_BYTES ? 0 : PASS(number, a);
  if (outcome == FAILED) {
    atomic_fetch_add(&control->failed_syncs, 1);
    result = -(long)atomic_load(&control->sync_error);
  }
  note_sync((struct record){.kind = RECORD_SYNC_END, .inode = inode, .offset = began, .outcome = outcome}, path);
  return result;
}

long call_read(long number, const long a[6]) {
  uint64_t inode;
  uint32_t error = atomic_load(&control->read_error);
  if (error == 0 || !file_of(a[0], &inode)) return PASS(number, a);
  atomic_fetch_add(&control->failed_reads, 1);
  return -(long)error;
}

static int refuses_writes(long *result) {
  *result = -(long)atomic_load(&control->write_error);
  if (*result != 0) atomic_fetch_add(&control->failed_writes, 1);
  return *result != 0;
}

/** Where a write began that moved the file's own position, if it has one. */
static uint64_t start_of(long number, const long a[6], long written) {
  if (number != SYS_write && number != SYS_writev) return a[3];
  return untrapped(SYS_lseek, a[0], 0, SEEK_CUR, 0, 0, 0) - written;
}

static void note_write(uint64_t inode, uint64_t offset, const void *bytes, uint32_t length) {
  record((struct record){.kind = RECORD_WRITE, .inode = inode, .offset = offset, .first_length = length}, bytes, NULL);
}

long call_write(long number, const long a[6]) {
  uint64_t inode;
  long result;
  if (!file_of(a[0], &inode)) return PASS(number, a);
  if (refuses_writes(&result)) return result;
  lock_journal();
  result = PASS(number, a);
  if (result > 0) note_write(inode, start_of(number, a, result), (const void *)a[1], result);
  unlock_journal();
  return result;
}

long call_write_pieces(long number, const long a[6]) {
  uint64_t inode;
  long result;
  if (!file_of(a[0], &inode)) return PASS(number, a);
  if (refuses_writes(&result)) return result;
  lock_journal();
  result = PASS(number, a);
  uint64_t offset = result > 0 ? start_of(number, a, result) : 0;
  const struct iovec *piece = (const struct iovec *)a[1];
  for (long left = result; left > 0; piece++) {
    uint32_t length = left < (long)piece->iov_len ? left : (long)piece->iov_len;
    note_write(inode, offset, piece->iov_base, length);
    offset += length;
    left -= length;
  }
  unlock_journal();
  return result;
}

long call_truncate(long number, const long a[6]) {
  uint64_t inode;
  long result;
  if (!file_of(a[0], &inode)) return PASS(number, a);
  if (refuses_writes(&result)) return result;
  lock_journal();
  result = PASS(number, a);
  if (result == 0) record((struct record){.kind = RECORD_TRUNCATE, .inode = inode, .offset = a[1]}, NULL, NULL);
  unlock_journal();
  return result;
}

long call_truncate_named(long number, const long a[6]) {
  char path[PATH_MAX];
  if (!path_of(AT_FDCWD, (const char *)a[0], path)) return PASS(number, a);
  long file = untrapped(SYS_openat, AT_FDCWD, a[0], O_WRONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return file;
  const long on_file[6] = {file, a[1]};
  long result = call_truncate(SYS_ftruncate, on_file);
  untrapped(SYS_close, file, 0, 0, 0, 0, 0);
  return result;
}

long call_copy(long number, const long a[6]) {
  uint64_t inode;
  int target = number == SYS_copy_file_range ? a[2] : a[0];
  if (!file_of(target, &inode)) return PASS(number, a);
  return number == SYS_copy_file_range ? -EXDEV : number == SYS_fallocate ? -EOPNOTSUPP : -EINVAL;
}

long call_map(long number, const long a[6]) {
  uint64_t inode;
  char link[64], path[PATH_MAX];
  int is_shared = (a[3] & MAP_TYPE) != MAP_PRIVATE && (a[2] & PROT_WRITE) != 0;
  if (!is_shared || !file_of(a[4], &inode)) return PASS(number, a);
  snprintf(link, sizeof link, "/proc/self/fd/%ld", a[4]);
  long length = untrapped(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, sizeof path - 1, 0, 0);
  // SQLite's shared memory is rebuilt after a cut, whatever it holds. Nothing else may be written without a call.
  if (length >= 4 && memcmp(path + length - 4, "-shm", 4) == 0) return PASS(number, a);
  return -ENODEV;
}
