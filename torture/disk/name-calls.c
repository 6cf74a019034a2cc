// Calls on names: creating, renaming, deleting.
#define _GNU_SOURCE
#include "calls.h"
#include "control.h"
#include "files.h"
#include "trap.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

static void note(enum record_kind kind, uint64_t inode, const char *first, const char *second) {
  struct record head = {.kind = kind, .inode = inode, .first_length = strlen(first), .second_length = strlen(second)};
  record(head, first, second);
}

/** Opens with the flags; the rest of the arguments is the caller's. */
static long open_with(int folder, const char *name, long flags, long mode) {
  return untrapped(SYS_openat, folder, (long)name, flags, mode, 0, 0);
}

/** Tells a new file from one that was there, also when others try the same. */
static long open_noted(int folder, const char *name, long flags, long mode, const char *path) {
  uint64_t inode;
  if (flags & O_CREAT) {
    long opened = open_with(folder, name, flags | O_EXCL, mode);
    if (opened >= 0 && file_of(opened, &inode)) note(RECORD_CREATE, inode, path, "");
    if (opened != -EEXIST || (flags & O_EXCL)) return opened;
  }
  long opened = open_with(folder, name, flags & ~O_CREAT, mode);
  if (opened >= 0 && (flags & O_TRUNC) && file_of(opened, &inode))
    record((struct record){.kind = RECORD_TRUNCATE, .inode = inode}, NULL, NULL);
  return opened;
}

long call_open(long number, const long a[6]) {
#ifdef SYS_open
  int shift = number == SYS_open ? 0 : 1;
#else
  int shift = 1;
#endif
  int folder = shift == 0 ? AT_FDCWD : (int)a[0];
  const char *name = (const char *)a[shift];
  long flags = a[shift + 1];
  char path[PATH_MAX];
  int may_change = (flags & (O_CREAT | O_TRUNC)) != 0 && (flags & O_PATH) == 0 && (flags & O_TMPFILE) != O_TMPFILE;
  if (!may_change || !path_of(folder, name, path)) return PASS(number, a);
  if ((flags & O_CREAT) && atomic_load(&control->write_error) != 0) {
    // A full disk has no room for a new file, but opens those that are there.
    long opened = open_with(folder, name, flags & ~O_CREAT, 0);
    return opened == -ENOENT ? -(long)atomic_load(&control->write_error) : opened;
  }
  lock_journal();
  long opened = open_noted(folder, name, flags, a[shift + 2], path);
  unlock_journal();
  return opened;
}

long call_make_folder(long number, const long a[6]) {
  char path[PATH_MAX];
  int is_at = number == SYS_mkdirat;
  if (!path_of(is_at ? (int)a[0] : AT_FDCWD, (const char *)a[is_at], path)) return PASS(number, a);
  lock_journal();
  long result = PASS(number, a);
  if (result == 0) note(RECORD_MAKE_FOLDER, 0, path, "");
  unlock_journal();
  return result;
}

static long call_two_names(enum record_kind kind, int is_at, long number, const long a[6]) {
  char from[PATH_MAX], to[PATH_MAX];
  int has_from = path_of(is_at ? (int)a[0] : AT_FDCWD, (const char *)a[is_at], from);
  int has_to = path_of(is_at ? (int)a[2] : AT_FDCWD, (const char *)a[is_at ? 3 : 1], to);
  if (!has_from && !has_to) return PASS(number, a);
  lock_journal();
  long result = PASS(number, a);
  if (result == 0) note(kind, 0, from, to);
  unlock_journal();
  return result;
}

long call_rename(long number, const long a[6]) {
#ifdef SYS_rename
  return call_two_names(RECORD_RENAME, number != SYS_rename, number, a);
#else
  return call_two_names(RECORD_RENAME, 1, number, a);
#endif
}

long call_link(long number, const long a[6]) { return call_two_names(RECORD_LINK, number == SYS_linkat, number, a); }

long call_unlink(long number, const long a[6]) {
  char path[PATH_MAX];
  int is_at = number == SYS_unlinkat;
  if (!path_of(is_at ? (int)a[0] : AT_FDCWD, (const char *)a[is_at], path)) return PASS(number, a);
  lock_journal();
  long result = PASS(number, a);
  if (result == 0) note(RECORD_UNLINK, 0, path, "");
  unlock_journal();
  return result;
}
