// Sends a text on a connection and does not wait for answers, in a process of its own, again and again until its input ends.

import { connect, type Socket } from "node:net"

export interface RawJob {
  readonly url: string
  readonly requests: readonly string[]
  readonly count: number
  /** Whether anybody reads the answers. */
  readonly isRead: boolean
  /** Stop after all of them were tried once, or after so many seconds. */
  readonly seconds?: number
}

const job = (await Bun.stdin.json()) as RawJob
const PATIENCE_MS = 3_000

/** Until the server closes the connection, has answered all of it, or nothing comes for long. */
function converse(request: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket: Socket = connect(Number(new URL(job.url).port), "127.0.0.1")
  const timer = setTimeout(resolve, job.isRead ? PATIENCE_MS : 50)
  let answers = 0
  socket.on("error", () => resolve())
  socket.on("close", () => resolve())
  if (job.isRead)
    socket.on("data", (data) => {
      answers += data.toString("latin1").split("HTTP/1.1 ").length - 1
      if (answers >= job.count) resolve()
    })
  else socket.pause()
  socket.write(request.repeat(job.count))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

const until = performance.now() + (job.seconds ?? 0) * 1_000
let conversations = 0
do {
  for (const request of job.requests) {
    await converse(request)
    conversations++
  }
} while (performance.now() < until)
console.log(conversations)
