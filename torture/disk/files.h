#ifndef ADBOOTH_FILES_H
#define ADBOOTH_FILES_H
#include <limits.h>
#include <stdint.h>

/** Only what is below this folder is recorded and can fail. */
extern const char *disk_root;

int is_below_root(const char *path);

/** The absolute path of a name. False when it is not below the root. */
int path_of(int folder, const char *name, char path[PATH_MAX]);

/** The inode of an open regular file below the root. False for everything else. */
int file_of(int descriptor, uint64_t *inode);

/** The path of an open folder below the root. False for everything else. */
int folder_of(int descriptor, char path[PATH_MAX]);

#endif
