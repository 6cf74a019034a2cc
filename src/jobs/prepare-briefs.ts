// After the start, when whoever waited for it was answered.
const DELAY_MS = 1_000
const PAUSE_MS = 10

/** Makes the words that briefs are read by in small steps, so that nobody has to wait for all of it at the first brief. */
export function prepareBriefs(): Disposable {
  let timer = setTimeout(begin, DELAY_MS)
  let isStopped = false
  /** Loaded only now: it is not needed for the start. */
  async function begin(): Promise<void> {
    const { prepareSome } = await import("../domain/adcp/brief/words/phrases.ts")
    const next = () => {
      if (!isStopped && prepareSome()) timer = setTimeout(next, PAUSE_MS)
    }
    next()
  }
  return {
    [Symbol.dispose]() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
