/**
 * Each call resolves in its own tick of the event loop. Work of a few milliseconds that arrives in bursts would otherwise keep everyone
 * else waiting for the whole burst.
 */
export function onePerTick(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return last
  }
}
