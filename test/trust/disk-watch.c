// Loaded with LD_PRELOAD: tells which files are synced (SYNC_TRACE), and fails syncs of the log while the file FAIL_SYNCS
// exists: only the next one where it is executable.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int watched(int fd, const char *name) {
  char link[64], path[512] = "", line[640];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  const char *trace = getenv("SYNC_TRACE"), *fail = getenv("FAIL_SYNCS");
  int out = trace == NULL ? -1 : open(trace, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (out >= 0) {
    int size = snprintf(line, sizeof line, "%s\n", path);
    if (write(out, line, size) != size) abort();
    close(out);
  }
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (fail == NULL || access(fail, F_OK) != 0 || strstr(path, "-wal") == NULL) return sync(fd);
  if (access(fail, X_OK) == 0) unlink(fail);
  errno = EIO;
  return -1;
}

int fsync(int fd) { return watched(fd, "fsync"); }
int fdatasync(int fd) { return watched(fd, "fdatasync"); }
