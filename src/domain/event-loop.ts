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
