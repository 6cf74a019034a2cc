// The first page of the file that the torture shares with every process on the disk; the journal follows it. control.ts has the same layout.
#ifndef ADBOOTH_CONTROL_H
#define ADBOOTH_CONTROL_H
#include <stdatomic.h>
#include <stdint.h>

#define CONTROL_BYTES 4096

struct control {
  /** Where the next record begins. Everything before is complete. */
  _Atomic uint64_t tail;
  /** How long the file is; no more than the page where nothing is recorded. */
  uint64_t capacity;
  _Atomic uint32_t lock;
  /** Records were left out, because the file is full. */
  _Atomic uint32_t overflown;
  /** Each sync takes this long, and up to the spread longer. */
  _Atomic uint64_t sync_ns;
  _Atomic uint64_t sync_spread_ns;
  /** So many syncs from now on fail with the error. */
  _Atomic uint32_t failing_syncs;
  _Atomic uint32_t sync_error;
  /** Syncs answer well and do nothing. */
  _Atomic uint32_t lying;
  /** The error of every read and of every write below the root; 0 for none. */
  _Atomic uint32_t read_error;
  _Atomic uint32_t write_error;
  uint32_t unused;
  /** What happened so far. */
  _Atomic uint64_t syncs;
  _Atomic uint64_t failed_syncs;
  _Atomic uint64_t failed_reads;
  _Atomic uint64_t failed_writes;
};

enum record_kind {
  RECORD_WRITE = 1,
  RECORD_TRUNCATE,
  RECORD_CREATE,
  RECORD_MAKE_FOLDER,
  RECORD_RENAME,
  RECORD_LINK,
  RECORD_UNLINK,
  RECORD_SYNC_BEGIN,
  RECORD_SYNC_END,
};

/** Padded to 8 bytes together with both texts. */
struct record {
  uint32_t kind;
  /** The outcome of a sync: 0 for done, 1 for failed, 2 for a lie. */
  uint32_t outcome;
  uint64_t inode;
  /** Of a write; the size of a truncation; where a sync began. */
  uint64_t offset;
  uint32_t first_length;
  uint32_t second_length;
};

extern struct control *control;

/** Others wait meanwhile, in this and other processes, so that records are in the order of what they tell. */
void lock_journal(void);
void unlock_journal(void);

/** Appends a record; the lock is held. Where it begins. */
uint64_t record(struct record head, const void *first, const void *second);

#endif
