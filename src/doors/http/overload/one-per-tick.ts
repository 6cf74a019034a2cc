/**
 * Lets those who ask go on one after the other, each in a turn of the event loop of its own. What takes some milliseconds for each of
 * many that arrive together would otherwise keep everybody else waiting for all of them.
 */
export function onePerTick(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return last
  }
}
