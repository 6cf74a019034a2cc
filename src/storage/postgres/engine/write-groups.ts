// Fewer rows than this wait for the transaction under way, and share the next one: what a transaction costs by itself is worth as much as
// a hundred rows. Not for long, though: the one under way may be waiting for a lock.
export const ROWS_WORTH_ANOTHER = 100
const WAITS_FOR_OTHERS_MS = 50
// One request of the largest size. More together would cost no less for each row, and hold its locks for longer.
export const ROWS_AT_A_TIME = 500

/** How many transactions may be under way at a time, for all groups that share it. */
export type InFlight = ReturnType<typeof inFlight>

export function inFlight(most: number) {
  const waiting = new Set<() => void>()
  let count = 0
  return {
    /** Where no other may begin, `whenFree` is called each time that one may, until it has begun: first whoever waits for longest. */
    isFree(whenFree: () => void): boolean {
      if (count < most) return true
      waiting.add(whenFree)
      return false
    },
    begin(whenFree: () => void): void {
      count += 1
      waiting.delete(whenFree)
    },
    end(): void {
      count -= 1
      for (const wake of [...waiting]) wake()
    },
  }
}

export interface GroupBounds {
  readonly inFlight: InFlight
  readonly rowsAtATime: number
  readonly rowsWorthAnother: number
  /** When to begin after the first has come: after all code that can run now, if nothing is said. */
  readonly soon?: (begin: () => void) => void
}

/** Jobs that come together, or wait while others are under way, share a group, which the database is sent at once. `write` never fails. */
export function writeGroups<Job extends { readonly rows: number }>(
  write: (group: readonly Job[]) => Promise<void>,
  { inFlight, rowsAtATime, rowsWorthAnother, soon = process.nextTick }: GroupBounds,
) {
  const waiting: Job[] = []
  let rowsWaiting = 0
  let underWay = 0
  let isScheduled = false
  let overdue: ReturnType<typeof setTimeout> | null = null
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  function schedule(): void {
    if (isScheduled || !inFlight.isFree(schedule)) return
    if (underWay > 0 && rowsWaiting < rowsWorthAnother) {
      overdue ??= setTimeout(startNext, WAITS_FOR_OTHERS_MS)
      return
    }
    isScheduled = true
    soon(() => {
      isScheduled = false
      startNext()
    })
  }

  function startNext(): void {
    if (overdue !== null) clearTimeout(overdue)
    overdue = null
    if (waiting.length > 0 && inFlight.isFree(schedule)) {
      underWay += 1
      inFlight.begin(schedule)
      write(nextGroup()).finally(() => {
        underWay -= 1
        inFlight.end()
        if (waiting.length > 0) schedule()
        else if (underWay === 0) idle.resolve()
      })
    }
    if (waiting.length > 0) schedule()
  }

  function nextGroup(): Job[] {
    const group = waiting.splice(0, fitting(waiting, rowsAtATime))
    for (const { rows } of group) rowsWaiting -= rows
    return group
  }

  return {
    add(job: Job) {
      if (waiting.length === 0 && underWay === 0) idle = Promise.withResolvers<void>()
      waiting.push(job)
      rowsWaiting += job.rows
      schedule()
    },
    size: () => waiting.length,
    /** Resolves when nothing is waiting or under way. */
    drained: () => idle.promise,
  }
}

/** How many of the first jobs fit together. */
function fitting(jobs: readonly { readonly rows: number }[], rowsMax: number): number {
  let rows = 0
  let count = 0
  for (const job of jobs) {
    rows += job.rows
    // The first is taken however large it is: it would never fit otherwise.
    if (count > 0 && rows > rowsMax) break
    count += 1
  }
  return count
}
