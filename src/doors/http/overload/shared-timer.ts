const LOOK_MS = 1_000

/**
 * One timer for everything that is waited for, because one for each would cost every request. Call what it gives when something is
 * added: `look` then comes after so many milliseconds, or a second, and once a second from then on while it says that something
 * is left.
 */
export function sharedTimer(look: (now: number) => boolean): (ms: number) => void {
  let timer: NodeJS.Timeout | undefined

  function start(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined
      // Rounded up: a timer may be a little early.
      if (look(Math.ceil(performance.now()))) start(LOOK_MS)
    }, ms)
    timer.unref()
  }

  return (ms) => {
    if (timer === undefined) start(Math.min(ms, LOOK_MS))
  }
}
