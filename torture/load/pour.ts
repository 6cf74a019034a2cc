// A process of its own that pours requests onto a server: reads a job from standard input, prints what came out as JSON.

import { percentile } from "../../bench/harness/statistics.ts"
import { AnswerReader } from "../../bench/load/answer-reader.ts"
import { requestOf, type Wish } from "./requests.ts"

export interface Job {
  readonly url: string
  readonly wish: Wish
  readonly connections: number
  /** Stop after so many requests, or after so many seconds. */
  readonly requests?: number
  readonly seconds?: number
  /** As many as possible unless set. */
  readonly perSecond?: number
  /** Numbers start here, so that no two jobs ask the same. */
  readonly from?: number
}

export interface Poured {
  readonly answered: number
  /** Answers by their status; 0 stands for a broken connection. */
  readonly statuses: Readonly<Record<number, number>>
  readonly seconds: number
  readonly p99Ms: number
  /** The 99th percentile of each quarter of the time. */
  readonly p99ByQuarter: readonly number[]
}

interface Sample {
  readonly at: number
  readonly ms: number
}

async function pour(job: Job): Promise<Poured> {
  const started = performance.now()
  const samples: Sample[] = []
  let sent = 0
  const statuses: Record<number, number> = {}

  /** The next request and the moment for it; undefined when there is none left. */
  function next(): { bytes: Buffer; at: number } | undefined {
    const at = job.perSecond === undefined ? 0 : started + (sent / job.perSecond) * 1_000
    const isOver = job.seconds !== undefined && Math.max(at, performance.now()) >= started + job.seconds * 1_000
    if (isOver || sent >= (job.requests ?? Number.POSITIVE_INFINITY)) return undefined
    return { bytes: requestOf(job.wish, (job.from ?? 0) + sent++), at }
  }

  function count(status: number): void {
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  function note(status: number, ms: number): void {
    samples.push({ at: performance.now() - started, ms })
    count(status)
  }

  const whole = await Promise.all(Array.from({ length: job.connections }, () => converse(job.url, next, note)))
  const seconds = (performance.now() - started) / 1_000
  const quarters = [0, 1, 2, 3].map((quarter) =>
    p99(samples.filter(({ at }) => Math.min(3, Math.floor((at / 1_000 / seconds) * 4)) === quarter)),
  )
  for (const _ of whole.filter((ok) => !ok)) count(0)
  return { answered: samples.length, statuses, seconds, p99Ms: p99(samples), p99ByQuarter: quarters }
}

function p99(samples: readonly Sample[]): number {
  return percentile(Float64Array.from(samples, ({ ms }) => ms).toSorted(), 0.99)
}

/** One connection: a request, its answer, the next request when its moment comes. True when it was never broken. */
function converse(
  url: string,
  next: () => { bytes: Buffer; at: number } | undefined,
  note: (status: number, ms: number) => void,
): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const reader = new AnswerReader()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let since = 0

  async function ask(socket: Bun.Socket): Promise<void> {
    const request = next()
    if (request === undefined) {
      resolve(true)
      socket.end()
      return
    }
    const wait = request.at - performance.now()
    if (wait > 1) await Bun.sleep(wait)
    since = performance.now()
    socket.write(request.bytes)
  }

  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void ask(socket),
      data(socket, piece) {
        if (!reader.take(piece)) return
        note(reader.status, performance.now() - since)
        void ask(socket)
      },
      close: () => resolve(false),
    },
  }).catch(() => resolve(false))
  return promise
}

console.log(JSON.stringify(await pour((await Bun.stdin.json()) as Job)))
