// The journal: what was done to the files, in its order, by all processes that share the control file.
#define _GNU_SOURCE
#include "control.h"
#include "trap.h"
#include <string.h>
#include <sys/syscall.h>

struct control *control;

void lock_journal(void) {
  uint32_t open = 0;
  while (!atomic_compare_exchange_weak(&control->lock, &open, 1)) {
    open = 0;
    untrapped(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
}

void unlock_journal(void) { atomic_store(&control->lock, 0); }

uint64_t record(struct record head, const void *first, const void *second) {
  uint64_t start = atomic_load(&control->tail);
  uint64_t length = sizeof head + (((uint64_t)head.first_length + head.second_length + 7) & ~7ull);
  if (start + length > control->capacity || atomic_load(&control->overflown)) {
    if (control->capacity > CONTROL_BYTES) atomic_store(&control->overflown, 1);
    return start;
  }
  char *at = (char *)control + start;
  memcpy(at, &head, sizeof head);
  if (head.first_length > 0) memcpy(at + sizeof head, first, head.first_length);
  if (head.second_length > 0) memcpy(at + sizeof head + head.first_length, second, head.second_length);
  atomic_store(&control->tail, start + length);
  return start;
}
