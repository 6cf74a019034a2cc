// Opens one connection after the other, many at a time, in a process of its own: sends a text on each, reads what comes first, and leaves.
// Reads a job from standard input, prints how many there were as JSON.

export interface ConnectionsJob {
  readonly port: number
  /** Sent on each connection. */
  readonly text: string
  /** Sent again and again after it, as long as the connection takes it. */
  readonly more?: string
  readonly atATime: number
  readonly seconds: number
}

const job = (await Bun.stdin.json()) as ConnectionsJob
const until = performance.now() + job.seconds * 1_000
let connections = 0
const statuses: Record<string, number> = {}

/** Until something comes back or the connection ends. */
function converse(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { text, more = "" } = job
  let left = more
  const pour = (socket: Bun.Socket) => {
    while (left !== "" && performance.now() < until) {
      const written = socket.write(left)
      if (written <= 0) return
      left = left.slice(written) || more
    }
  }
  Bun.connect({
    hostname: "127.0.0.1",
    port: job.port,
    socket: {
      open(socket) {
        connections++
        socket.write(text)
        pour(socket)
      },
      drain: pour,
      data(socket, answer) {
        const status = answer.toString("latin1", 9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        socket.terminate()
        resolve()
      },
      close: () => resolve(),
      error: () => resolve(),
    },
  }).catch(() => resolve())
  return promise
}

await Promise.all(
  Array.from({ length: job.atATime }, async () => {
    while (performance.now() < until) await Promise.race([converse(), Bun.sleep(job.seconds * 1_000)])
  }),
)
console.log(JSON.stringify({ connections, statuses }))
process.exit(0)
