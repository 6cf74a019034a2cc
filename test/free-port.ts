const FIRST = 10_000
const OF_A_PROCESS = 100
const PROCESSES = 220

let asked = 0

/**
 * Below those that the system hands out, where nobody who asks for any port gets it before the server has it; each process of tests has some
 * of its own, and gives each of them in turn.
 */
export function freePort(): number {
  for (;;) {
    const port = FIRST + (process.pid % PROCESSES) * OF_A_PROCESS + (asked++ % OF_A_PROCESS)
    try {
      using listener = Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } })
      return listener.port
    } catch {
      // Somebody listens there.
    }
  }
}
