/** Who wants something done. */
export interface Caller {
  /** Callers with the same name share their places; others take turns with them. */
  readonly name: string
  /** Tells when nobody waits for the answer any more. */
  readonly gone?: AbortSignal
}

export interface FairQueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
}

/** Does costly work, a little at a time. */
export interface FairQueue {
  /**
   * Does the work when it is its turn. Null when it was not even begun: there is no room, or the caller has gone meanwhile.
   * A caller of null is ourselves, and always finds room.
   */
  run<Result>(caller: Caller | null, work: () => Promise<Result>): Promise<Result | null>
}

/** Callers take turns, whoever asks most; the number of those who wait is bounded, for each caller and for all together. */
export function fairQueue({ runningMax, waitingMax, waitingPerCallerMax }: FairQueueLimits): FairQueue {
  // By caller, the one whose turn is next first.
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
    // Behind everybody else, with what this caller still wants.
    waiting.delete(name)
    waiting.set(name, own)
    begin?.()
  }

  /** Whether the turn came; false when the caller went first. */
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
