const CHECK_INTERVAL_MS = 1_000

/**
 * One timer for many deadlines, because one each would cost every request. Call the returned function when a deadline is added: `check`
 * runs after that time or a second, whichever is sooner, then every second while it returns true.
 */
export function sharedTimer(check: (now: number) => boolean): (ms: number) => void {
  let timer: NodeJS.Timeout | undefined

  function start(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined
      // Rounded up: a timer may be a little early.
      if (check(Math.ceil(performance.now()))) start(CHECK_INTERVAL_MS)
    }, ms)
    timer.unref()
  }

  return (ms) => {
    if (timer === undefined) start(Math.min(ms, CHECK_INTERVAL_MS))
  }
}
