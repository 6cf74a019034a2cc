/** Work that is started again and again, but not while it runs: a caller that starts it then waits for that end. It never rejects. */
export function singleRun(work: () => Promise<void>, failed: (cause: unknown) => void) {
  let running: Promise<void> | undefined
  return {
    start(): Promise<void> {
      running ??= work()
        .catch(failed)
        .finally(() => {
          running = undefined
        })
      return running
    },
    /** Its end, if it runs. */
    running: () => running,
  }
}
