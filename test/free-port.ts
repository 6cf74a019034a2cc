/** Below those that the system hands out: nobody who asks for any port gets it before the server has it. */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000)
    try {
      using listener = Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } })
      return listener.port
    } catch {
      // Somebody listens there.
    }
  }
}
