export interface Caller {
  /** Callers with the same name share one turn; different names take turns. */
  readonly name: string
  /** Aborted when nobody waits for the result any more. */
  readonly gone?: AbortSignal
  readonly userAgent?: string | null
}

type FairQueueLimits = Readonly<{ runningMax: number; waitingMax: number; waitingPerCallerMax: number }>

/** Runs costly work with bounded concurrency. Callers take turns; the queue is bounded per caller and in total. */
export function fairQueue({ runningMax, waitingMax, waitingPerCallerMax }: FairQueueLimits) {
  const waiting = waitingLine()
  let running = 0

  const hasRoom = ({ name }: Caller) => waiting.count() < waitingMax && waiting.countOf(name) < waitingPerCallerMax

  /** Resolves to true at its turn, to false when the caller leaves first. */
  function turn(caller: Caller | null): Promise<boolean> {
    return new Promise((resolve) => {
      const name = caller?.name ?? ""
      const begin = () => {
        caller?.gone?.removeEventListener("abort", giveUp)
        waiting.remove(name, begin)
        running++
        resolve(true)
      }
      const giveUp = () => {
        waiting.remove(name, begin)
        resolve(false)
      }
      waiting.add(name, begin)
      caller?.gone?.addEventListener("abort", giveUp, { once: true })
      if (running < runningMax) waiting.next()?.()
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
        waiting.next()?.()
      }
    },
  }
}

type Begin = () => void

function waitingLine() {
  // The caller whose turn is next is first.
  const byCaller = new Map<string, Begin[]>()
  let count = 0
  return {
    count: () => count,
    countOf: (name: string) => byCaller.get(name)?.length ?? 0,
    add(name: string, begin: Begin): void {
      byCaller.set(name, [...(byCaller.get(name) ?? []), begin])
      count++
    },
    remove(name: string, begin: Begin): void {
      const own = byCaller.get(name) ?? []
      own.splice(own.indexOf(begin), 1)
      count--
      if (own.length === 0) byCaller.delete(name)
    },
    /** What to begin next. Its caller moves to the end of the line. */
    next(): Begin | undefined {
      const [first] = byCaller
      if (first === undefined) return undefined
      const [name, own] = first
      byCaller.delete(name)
      byCaller.set(name, own)
      return own[0]
    },
  }
}
