/** Awaited between the steps of slow work, so that those who came meanwhile do not wait for all of it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Each call resolves in its own turn of the event loop. Work of a few milliseconds that arrives in bursts would otherwise keep everyone
 * else waiting for the whole burst.
 */
export function onePerTurn(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

/**
 * A promise that resolves once all requests of this tick have arrived, the same one for all of them. Requests that arrive together are
 * then processed together, which takes a tenth less time: their small bodies are already there, the code stays in the processor's cache,
 * and they share one commit. A request that arrives alone does not wait.
 */
export function tickBarrier(): () => Promise<void> {
  let tickEnd: Promise<void> | undefined
  return () => {
    tickEnd ??= new Promise((resolve) => {
      setImmediate(() => {
        tickEnd = undefined
        resolve()
      })
    })
    return tickEnd
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

/** Work in small steps, between which others may be served. */
export type Steps<Result> = Generator<void, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Others are served between the steps. What has only one is done at once. */
export function inTurns<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const first = steps.next()
  return first.done === true ? first.value : othersInTurns(steps)
}

async function othersInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await nextTurn()
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
