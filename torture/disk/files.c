#define _GNU_SOURCE
#include "files.h"
#include "trap.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

const char *disk_root = "";

int is_below_root(const char *path) {
  size_t length = strlen(disk_root);
  return length > 0 && strncmp(path, disk_root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int path_of_descriptor(int descriptor, char path[PATH_MAX]) {
  char link[64];
  if (descriptor == AT_FDCWD) strcpy(link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = untrapped(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, PATH_MAX - 1, 0, 0);
  if (length < 0) return 0;
  path[length] = '\0';
  return 1;
}

int path_of(int folder, const char *name, char path[PATH_MAX]) {
  if (name == NULL) return 0;
  if (name[0] == '/') {
    if (strlen(name) >= PATH_MAX) return 0;
    strcpy(path, name);
    return is_below_root(path);
  }
  if (!path_of_descriptor(folder, path)) return 0;
  size_t length = strlen(path);
  if (length + strlen(name) + 2 > PATH_MAX) return 0;
  path[length] = '/';
  strcpy(path + length + 1, name);
  return is_below_root(path);
}

static int is_kind(int descriptor, mode_t kind, uint64_t *inode) {
  struct stat found;
  if (descriptor < 0 || untrapped(SYS_fstat, descriptor, (long)&found, 0, 0, 0, 0) != 0) return 0;
  *inode = found.st_ino;
  return (found.st_mode & S_IFMT) == kind;
}

int file_of(int descriptor, uint64_t *inode) {
  char path[PATH_MAX];
  return is_kind(descriptor, S_IFREG, inode) && path_of_descriptor(descriptor, path) && is_below_root(path);
}

int folder_of(int descriptor, char path[PATH_MAX]) {
  uint64_t inode;
  return is_kind(descriptor, S_IFDIR, &inode) && path_of_descriptor(descriptor, path) && is_below_root(path);
}
