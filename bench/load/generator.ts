// Our own load generator: a process of its own that reads a job from standard input and prints the result as JSON.
import { AnswerReader } from "./answer-reader.ts"
import { type Job, type JobResult, latencies } from "./job.ts"
import { NumberedRequest } from "./numbered-request.ts"
import { readRequests } from "./requests-file.ts"

const LATENCIES_MAX = 4_000_000

async function generate(job: Job): Promise<JobResult> {
  const requests = (await readRequests(job.requestsFile)).map((bytes) => new NumberedRequest(bytes))
  const milliseconds = new Float64Array(LATENCIES_MAX)
  const started = performance.now()
  const until = job.requests === undefined ? started + job.seconds * 1000 : Number.POSITIVE_INFINITY
  const last = Math.min(job.requests ?? LATENCIES_MAX, LATENCIES_MAX)
  let sent = 0
  let answered = 0
  let failures = 0

  function nextRequest(): Buffer | undefined {
    if (sent >= last || performance.now() >= until) return undefined
    const count = sent++
    return requests[count % requests.length]?.numbered(count)
  }

  function noteAnswer(ok: boolean, since: number): void {
    milliseconds[answered++] = performance.now() - since
    if (!ok) failures += 1
  }

  const connections = Array.from({ length: job.connections }, () => keepAsking(job.url, nextRequest, noteAnswer))
  const broken = (await Promise.all(connections)).filter((whole) => !whole).length
  return {
    requests: answered,
    failures: failures + broken,
    seconds: (performance.now() - started) / 1000,
    ...latencies(milliseconds.subarray(0, answered)),
  }
}

type NoteAnswer = (ok: boolean, since: number) => void

/** One connection: a request, its answer, the next request. True when it ended because there was nothing more to ask. */
function keepAsking(url: string, next: () => Buffer | undefined, note: NoteAnswer): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  // The certificates of a run are signed by nobody.
  const secure = protocol === "https:" ? { tls: { rejectUnauthorized: false } } : {}
  const reader = new AnswerReader()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let unsent: Buffer | undefined
  let since = 0

  function flush(socket: Bun.Socket): void {
    if (unsent === undefined) return
    const written = socket.write(unsent)
    unsent = written < unsent.length ? Buffer.from(unsent.subarray(written)) : undefined
  }

  function ask(socket: Bun.Socket): void {
    unsent = next()
    since = performance.now()
    if (unsent === undefined) {
      resolve(true)
      socket.end()
    } else flush(socket)
  }

  const socket = {
    // With TLS the first request waits for the handshake.
    open: protocol === "https:" ? () => undefined : ask,
    handshake: ask,
    drain: flush,
    data(socket: Bun.Socket, piece: Buffer) {
      if (!reader.take(piece)) return
      note(reader.status === 200, since)
      ask(socket)
    },
    close: () => resolve(false),
    connectError: () => resolve(false),
  }
  Bun.connect({ hostname, port: Number(port), socket, ...secure }).catch(() => resolve(false))
  return promise
}

console.log(JSON.stringify(await generate(await Bun.stdin.json())))
