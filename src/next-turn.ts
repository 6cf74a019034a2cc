// So long at a time nobody notices.
const TURN_MS = 5

let began = 0
let last = Promise.resolve()

/**
 * Awaited within loops over long lists, and between slow steps: others are served once some milliseconds have passed. Of several that do
 * long work each has a turn of the event loop to itself.
 */
export function nextTurn(): Promise<void> | undefined {
  if (performance.now() - began < TURN_MS) return undefined
  last = last
    .then(() => new Promise((resolve) => setImmediate(resolve)))
    .then(() => {
      began = performance.now()
    })
  return last
}
