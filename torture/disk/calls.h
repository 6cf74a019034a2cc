// One function for each kind of system call; each makes the call and records what it did.
#ifndef ADBOOTH_CALLS_H
#define ADBOOTH_CALLS_H

long call_sync(long number, const long a[6]);
long call_read(long number, const long a[6]);
long call_write(long number, const long a[6]);
long call_write_pieces(long number, const long a[6]);
long call_truncate(long number, const long a[6]);
long call_truncate_named(long number, const long a[6]);
long call_open(long number, const long a[6]);
long call_make_folder(long number, const long a[6]);
long call_rename(long number, const long a[6]);
long call_link(long number, const long a[6]);
long call_unlink(long number, const long a[6]);
/** Refused where it would write to a file below the root; programs then read and write instead. */
long call_copy(long number, const long a[6]);
long call_map(long number, const long a[6]);

#define PASS(number, a) untrapped(number, (a)[0], (a)[1], (a)[2], (a)[3], (a)[4], (a)[5])

#endif
