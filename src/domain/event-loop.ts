// Of each turn of the event loop so much is for those who wait for theirs.
const TURN_MS = 5

type Waiter = Readonly<{ go: () => void; share: number }>

/** Those who wait, by caller. The first one is next. */
type Waiting = Map<string, Waiter[]>

const waiting: Waiting = new Map()
const strangers: Waiting = new Map()
let turnSince: number | undefined

/**
 * Awaited between the steps of slow work, and before work that arrives in bursts, so that those who came meanwhile do not wait for all of
 * it. Callers take turns: whoever has much to do waits for it, and nobody else does. What writes is served together, to share a commit, as
 * far as its shares come to 1.
 */
export function nextTurn(caller = "", share = 1): Promise<void> {
  return new Promise((go) => {
    add(waiting, caller, { go, share })
    setImmediate(serveNext)
  })
}

/** As `nextTurn`, for those whom nobody has found to be known: by address, and all of them as one caller, however many addresses they have. */
export function strangersTurn(address: string): Promise<void> {
  return new Promise((go) => {
    add(strangers, address, { go, share: 1 })
    void nextTurn("strangers").then(() => takeFirst(strangers)?.go())
  })
}

function add(queue: Waiting, caller: string, waiter: Waiter): void {
  const own = queue.get(caller)
  if (own === undefined) queue.set(caller, [waiter])
  else own.push(waiter)
}

/** The first of the caller who is next, who is then behind all others. */
function takeFirst(queue: Waiting): Waiter | undefined {
  const [caller, own] = queue.entries().next().value ?? ["", []]
  queue.delete(caller)
  if (own.length > 1) queue.set(caller, own)
  return own.shift()
}

/** Each call serves one, or some together. What that does is done before the next call. */
function serveNext(): void {
  const now = performance.now()
  if (turnSince === undefined) {
    turnSince = now
    setImmediate(() => {
      turnSince = undefined
    })
  } else if (now - turnSince >= TURN_MS) return void setImmediate(serveNext)
  for (let left = 1; left > 0; ) {
    const [first] = waiting.values().next().value ?? []
    if (first === undefined || first.share > left) return
    left -= first.share
    takeFirst(waiting)?.go()
  }
}

// So many short requests take a few milliseconds.
const GROUP_MAX = 64

/**
 * A promise that resolves once all requests of this tick have arrived, the same one for many of them. Requests that arrive together are
 * then processed together, which takes a tenth less time: their small bodies are already there, the code stays in the processor's cache,
 * and they share one commit.
 */
export function tickBarrier(caller: string): () => Promise<void> {
  let group = Promise.resolve()
  let left = 0
  return () => {
    if (left-- <= 0) {
      left = GROUP_MAX
      group = nextTurn(caller).then(() => {
        left = 0
      })
    }
    return group
  }
}

/** A long list in parts of at most so many, between which others are served. */
export function* inParts<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}

// Judging or adding up this many lines takes some milliseconds.
const ITEMS_AT_ONCE = 1_000

/** Does something short with each item of a list that may be long. Others are served in between. */
export async function eachInTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % ITEMS_AT_ONCE === 0) await nextTurn()
    work(item)
  }
}

/** Does so many things at a time; others wait until one of them is over. */
export function atMost(most: number) {
  const waiting: (() => void)[] = []
  let free = most
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Work in small steps, between which others may be served. */
export type Steps<Result> = Generator<void, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Others are served between the steps. What has only one is done at once. */
export function inTurns<Result>(steps: Steps<Result>, caller?: string): Result | Promise<Result> {
  const first = steps.next()
  return first.done === true ? first.value : othersInTurns(steps, caller)
}

async function othersInTurns<Result>(steps: Steps<Result>, caller: string | undefined): Promise<Result> {
  for (;;) {
    await nextTurn(caller)
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

// Comparing this many products takes a few milliseconds.
const COMPARED_AT_ONCE = 200

/** Does something with each item, in steps. */
export function* eachInSteps<Item>(items: readonly Item[], work: (item: Item) => void): Steps<void> {
  let left = COMPARED_AT_ONCE
  for (const item of items) {
    if (left-- === 0) {
      left = COMPARED_AT_ONCE
      yield
    }
    work(item)
  }
}
