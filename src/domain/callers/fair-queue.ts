export interface Caller {
  /** Callers with the same name share one turn; different names take turns. */
  readonly name: string
  /** Aborted when nobody waits for the result any more. */
  readonly gone?: AbortSignal
  readonly userAgent?: string | null
  /** Whether a session, or a browser in which somebody has signed in before, proves who it is. */
  readonly isKnown?: boolean
}

type FairQueueLimits = Readonly<{ runningMax: number; waitingMax: number; waitingPerCallerMax: number }>

/** Runs costly work with bounded concurrency. Callers take turns; the queue is bounded per caller and in total. */
export function fairQueue({ runningMax, waitingMax, waitingPerCallerMax }: FairQueueLimits) {
  // The caller whose turn is next is first.
  const waiting = new Map<string, Set<() => void>>()
  let [running, count] = [0, 0]

  const hasRoom = ({ name }: Caller) => count < waitingMax && (waiting.get(name)?.size ?? 0) < waitingPerCallerMax

  /** Its caller moves to the end of the line. */
  function beginNext(): void {
    const [name = "", own] = waiting.entries().next().value ?? []
    if (own === undefined) return
    waiting.delete(name)
    waiting.set(name, own)
    own.values().next().value?.()
  }

  /** Resolves to true at its turn, to false when the caller leaves first. */
  function turn(caller: Caller | null): Promise<boolean> {
    return new Promise((resolve) => {
      const name = caller?.name ?? ""
      const own = waiting.getOrInsertComputed(name, () => new Set())
      const leave = () => {
        own.delete(begin)
        count--
        if (own.size === 0) waiting.delete(name)
      }
      const begin = () => {
        caller?.gone?.removeEventListener("abort", giveUp)
        leave()
        running++
        resolve(true)
      }
      const giveUp = () => {
        leave()
        resolve(false)
      }
      own.add(begin)
      count++
      caller?.gone?.addEventListener("abort", giveUp, { once: true })
      if (running < runningMax) beginNext()
    })
  }

  return {
    /**
     * Runs the work when it is its turn. Resolves to null if it never started: the queue is full, or the caller is gone. A null caller
     * is the server itself, which is never refused.
     */
    async run<Result>(caller: Caller | null, work: () => Promise<Result>): Promise<Result | null> {
      if (caller?.gone?.aborted) return null
      if (running >= runningMax && caller !== null && !hasRoom(caller)) return null
      if (!(await turn(caller))) return null
      try {
        return await work()
      } finally {
        running--
        beginNext()
      }
    },
  }
}
