import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { type Booth, createKey, furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { residentMib, watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"

const MEBIBYTE = 1_048_576
// What requests and bodies may take at a time, and what the runtime has not thrown away yet.
const GROWTH_MIB_MAX = 256 + 64
const REPORTS = 50
const PASSWORD = "a password for torture"
const JSON_TYPES = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
const FORM_TYPE = "Content-Type: multipart/form-data; boundary=-\r\n"
const METRICS = "/api/ingest/delivery/metrics"
// More than is read of a form at a time.
const SENT_BYTES_MAX = 5 * MEBIBYTE

/** Bodies that lack their last byte at least. */
interface Unfinished {
  readonly count: number
  readonly bytes: number
  readonly path: string
  readonly headers?: string
  readonly addresses?: number
}

export const unfinished: Part = {
  name: "unfinished",
  promise:
    "bodies that never end, however many and however large, are held within the bound and keep nobody out who has a key or a session; a repeated Content-Length switches no bound off",
  async run() {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await makeOperator(booth.data, PASSWORD)
    const { key } = await createKey(booth.data)
    await using server = await serve(booth.data)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    // So that what is loaded when it is first needed does not count.
    await ledger.send(server.url, 5)
    const cookie = await signIn(server, PASSWORD)
    const before = residentMib(server.pid)
    const watch = watchMemory(server.pid, 50)
    problems.push(...(await sendRepeatedLengths(server)))
    const all = attacks(key, cookie)
    const answers: string[] = []
    let kept = 0
    for (const attack of all) {
      const sockets = await sendUnfinished(server, attack, answers)
      const refused = await refusedReports(server, ledger, cookie)
      if (refused.length > 0)
        problems.push(`${attack.count} × ${attack.bytes} at ${attack.path}: ${refused.join(", ")}`)
      kept += REPORTS - refused.length
      for (const socket of sockets) socket.destroy()
    }
    const grown = Math.max(...watch.stop()) - before
    if (grown > GROWTH_MIB_MAX) problems.push(`memory grew by ${Math.round(grown)} MiB`)
    const refusals = answers.filter((answer) => answer.startsWith("HTTP/1.1 503"))
    if (!refusals.every((answer) => /\r\nRetry-After: 1\r\n/i.test(answer)))
      problems.push("a refusal has no Retry-After")
    problems.push(...(await aftermath(server, booth, ledger)))
    const bodies = all.reduce((sum, { count }) => sum + count, 0)
    return {
      done: `${bodies.toLocaleString("en")} bodies of 900 B to 50 MiB that never end, in ${all.length} attacks: from 1 to 20 addresses, with one key, with one session; a Content-Length sent twice`,
      figures: `memory grew by at most ${Math.round(grown)} MiB; ${refusals.length.toLocaleString("en")} refused with Retry-After, the rest held or given up; ${kept} of ${all.length * REPORTS} reports and pages of others were answered as ever`,
      problems,
    }
  },
}

const attacks = (key: string, cookie: string): Unfinished[] => [
  { count: 320, bytes: MEBIBYTE, path: "/", headers: JSON_TYPES, addresses: 2 },
  { count: 400, bytes: MEBIBYTE, path: "/?/healthz", headers: JSON_TYPES },
  { count: 2_400, bytes: 900, path: "/", headers: JSON_TYPES, addresses: 3 },
  { count: 280, bytes: 5 * MEBIBYTE, path: "/app/sign-in" },
  { count: 600, bytes: 60_000, path: "/app/o/acme-audio/keys", addresses: 20 },
  { count: 300, bytes: MEBIBYTE, path: METRICS, headers: `${JSON_TYPES}Authorization: Bearer ${key}\r\n` },
  {
    count: 262,
    bytes: 50 * MEBIBYTE,
    path: "/app/o/acme-audio/upload",
    headers: `${FORM_TYPE}Cookie: ${cookie}\r\n`,
  },
]

/** Bodies of any size whose length is said twice. Each is refused. */
async function sendRepeatedLengths({ url }: Server): Promise<string[]> {
  const answers = await Promise.all(
    [1, 900, MEBIBYTE, 200 * MEBIBYTE].map(
      (bytes) =>
        new Promise<string>((resolve) => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1")
          socket.on("error", () => resolve("closed"))
          socket.on("close", () => resolve("closed"))
          socket.once("data", (data) => resolve(data.toString("latin1", 9, 12)))
          const length = `Content-Length: ${bytes}\r\n`
          socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n${JSON_TYPES}${length}${length}\r\n`)
          socket.write(Buffer.alloc(Math.min(bytes, SENT_BYTES_MAX), " "))
        }),
    ),
  )
  return answers.filter((status) => status !== "400").map((status) => `a repeated Content-Length: ${status}`)
}

/** Sends all that is to come of them, and leaves them standing. */
async function sendUnfinished(
  { url }: Server,
  { count, bytes, path, headers = "", addresses = 1 }: Unfinished,
  answers: string[],
): Promise<Socket[]> {
  const part = Buffer.alloc(Math.min(bytes - 1, SENT_BYTES_MAX), " ")
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n${headers}Content-Length: ${bytes}\r\n\r\n`
  const sockets = Array.from({ length: count }, (_, i) =>
    connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: `127.0.0.${2 + (i % addresses)}` }),
  )
  await Promise.all(
    sockets.map((socket) => {
      socket.once("data", (data) => answers.push(data.toString("latin1")))
      return new Promise<void>((resolve) => {
        socket.on("error", () => resolve())
        socket.once("connect", () => {
          socket.write(head, () => resolve())
          socket.write(part)
        })
      })
    }),
  )
  return sockets
}

/** What somebody else's reports and pages were answered meanwhile, where that was not as ever. */
async function refusedReports(server: Server, ledger: Ledger, cookie: string): Promise<string[]> {
  const refused: string[] = []
  for (let i = 0; i < REPORTS; i++) {
    const { status } = await ledger.send(server.url, 1)
    if (status !== 200) refused.push(`a report ${status}`)
  }
  const page = await fetch(`${server.url}/app/sign-in`, { headers: { Cookie: cookie } })
  if (page.status >= 500) refused.push(`a page ${page.status}`)
  return refused
}

async function aftermath(server: Server, booth: Booth, ledger: Ledger): Promise<string[]> {
  const problems: string[] = []
  if ((await fetch(`${server.url}/healthz`)).status !== 200) problems.push("/healthz did not answer")
  const again = await ledger.send(server.url, 5)
  if (again.status !== 200) problems.push(`a report was answered ${again.status} afterwards`)
  if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
  return [...problems, ...ledger.problems(booth.data), ...databaseProblems(booth.data)]
}
