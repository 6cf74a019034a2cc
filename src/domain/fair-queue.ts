export interface Caller {
  /** Callers with the same name share one turn; different names take turns. */
  readonly name: string
  /** Aborted when nobody waits for the result any more. */
  readonly gone?: AbortSignal
}

export interface FairQueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
}

export interface FairQueue {
  /**
   * Runs the work when it is its turn. Null when it never started: the queue is full, or the caller is gone. Null as the caller is
   * the server itself, which is never refused.
   */
  run<Result>(caller: Caller | null, work: () => Promise<Result>): Promise<Result | null>
}

/** Runs costly work with bounded concurrency. Callers take turns; the queue is bounded per caller and in total. */
export function fairQueue({ runningMax, waitingMax, waitingPerCallerMax }: FairQueueLimits): FairQueue {
  // By caller; the next turn is first.
  const waiting = new Map<string, (() => void)[]>()
  let waitingCount = 0
  let running = 0

  function hasRoom(caller: Caller | null): boolean {
    if (caller === null) return true
    return waitingCount < waitingMax && (waiting.get(caller.name)?.length ?? 0) < waitingPerCallerMax
  }

  function leave(name: string, begin: () => void): void {
    const own = waiting.get(name) ?? []
    own.splice(own.indexOf(begin), 1)
    waitingCount--
    if (own.length === 0) waiting.delete(name)
  }

  function next(): void {
    const [first] = waiting
    if (first === undefined) return
    const [name, own] = first
    const [begin] = own
    // The caller moves to the end of the queue.
    waiting.delete(name)
    waiting.set(name, own)
    begin?.()
  }

  /** Resolves to true at its turn, to false when the caller leaves first. */
  function turn(caller: Caller | null): Promise<boolean> {
    return new Promise((resolve) => {
      const name = caller?.name ?? ""
      const begin = () => {
        caller?.gone?.removeEventListener("abort", giveUp)
        leave(name, begin)
        running++
        resolve(true)
      }
      const giveUp = () => {
        leave(name, begin)
        resolve(false)
      }
      waiting.set(name, [...(waiting.get(name) ?? []), begin])
      waitingCount++
      caller?.gone?.addEventListener("abort", giveUp, { once: true })
      if (running < runningMax) next()
    })
  }

  return {
    async run(caller, work) {
      if (caller?.gone?.aborted) return null
      if (running >= runningMax && !hasRoom(caller)) return null
      if (!(await turn(caller))) return null
      try {
        return await work()
      } finally {
        running--
        next()
      }
    },
  }
}
