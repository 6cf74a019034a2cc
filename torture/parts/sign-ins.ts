import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { makeOperator, OPERATOR_EMAIL, sendSignIn, signIn } from "../harness/visitor.ts"

const PASSWORD = "correct horse battery"
const P99_MS_MAX = 250
const ANSWER_SECONDS_MAX = 10
const MEMORY_MIB_MAX = 768
// One proxy on this machine hands on all the addresses.
const ARGS = ["--trust-proxy", "127.0.0.1"]

export const signIns: Part = {
  name: "sign-ins",
  promise:
    "a crowd that signs in at once is answered or sent away, delays nobody who does something else, keeps nobody out of a browser in which they signed in before, and gives its places back by leaving",
  async run({ signIns: count, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await makeOperator(booth.data, PASSWORD)
    await using server = await serve(booth.data, { args: ARGS })
    const problems: string[] = []
    const known = await signIn(server, PASSWORD)
    const watch = watchMemory(server.pid, 50)
    const over = new AbortController()
    const probes = probe(server, over.signal)
    const feed = report(server, new Ledger(booth), over.signal)
    const crowd = signInAtOnce(server, count)
    const isKnownIn = await signInAs(server, known)
    if (isKnownIn.status !== 303) problems.push(`a known browser was answered ${isKnownIn.status}`)
    const patient = await secondsUntilIn(server, "198.51.100.1")
    const answers = await crowd
    over.abort()
    const [probed, reported] = [await probes, await feed]
    const afterLeaving = await leaveAndSignIn(server, count)
    const memory = Math.max(...watch.stop())
    const refused = answers.filter(({ status }) => status === 503).length
    const wrong = answers.filter(({ status }) => status === 422).length
    const slowest = Math.max(...answers.map(({ seconds }) => seconds))
    if (refused + wrong !== count)
      problems.push(`${count - refused - wrong} sign-ins had another answer than 422 or 503`)
    if (answers.some(({ status, retryAfter }) => status === 503 && retryAfter === null)) problems.push("no Retry-After")
    if (judgeTiming === 1 && Math.max(probed.p99, reported.p99) > P99_MS_MAX) problems.push("others had to wait")
    if (judgeTiming === 1 && slowest > ANSWER_SECONDS_MAX) problems.push(`an answer took ${slowest.toFixed(1)} s`)
    if (memory > MEMORY_MIB_MAX) problems.push(`memory went up to ${Math.round(memory)} MiB`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    return {
      done: `${count} wrong sign-ins at once from as many addresses, answered; as many again, who leave before their answer`,
      figures: `${wrong} 422, ${refused} 503, slowest answer ${slowest.toFixed(1)} s; meanwhile 99th percentile of /healthz ${probed.p99.toFixed(1)} ms (worst ${probed.worst.toFixed(0)} ms), of a report ${reported.p99.toFixed(1)} ms (worst ${reported.worst.toFixed(0)} ms), a right sign-in in a known browser ${isKnownIn.seconds.toFixed(1)} s, in another one that obeys Retry-After ${patient.toFixed(1)} s; after the others left ${afterLeaving.toFixed(1)} s; memory at most ${Math.round(memory)} MiB`,
      problems,
    }
  },
}

interface Answered {
  readonly status: number
  readonly retryAfter: string | null
  readonly seconds: number
}

function signInAtOnce(server: Server, count: number, signal?: AbortSignal): Promise<Answered[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const began = performance.now()
      const address = `192.0.${i >> 8}.${i & 255}`
      const { status, headers } = await sendSignIn(server, `guess${i}@example.com`, "not this one", address, signal)
      return { status, retryAfter: headers.get("Retry-After"), seconds: (performance.now() - began) / 1_000 }
    }),
  )
}

/** The right password, once, with the cookies of a browser in which somebody has signed in before. */
async function signInAs({ url }: Server, cookie: string) {
  const began = performance.now()
  const { status } = await fetch(`${url}/app/sign-in`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "198.51.100.3", Cookie: browserMarks(cookie) },
    body: new URLSearchParams({ email: OPERATOR_EMAIL, password: PASSWORD, next: "/app" }),
    redirect: "manual",
  })
  return { status, seconds: (performance.now() - began) / 1_000 }
}

/** What is left after signing out. */
const browserMarks = (cookie: string) =>
  cookie
    .split("; ")
    .filter((one) => one.startsWith("adbooth_browser="))
    .join()

/** How long somebody with the right password takes who comes back when told to. */
async function secondsUntilIn(server: Server, address: string): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status, headers } = await sendSignIn(server, OPERATOR_EMAIL, PASSWORD, address)
    if (status === 303) return (performance.now() - began) / 1_000
    if (status !== 503) throw new Error(`the right password was answered ${status}`)
    await Bun.sleep(Number(headers.get("Retry-After")) * 1_000)
  }
}

async function leaveAndSignIn(server: Server, count: number): Promise<number> {
  const leaving = new AbortController()
  const crowd = signInAtOnce(server, count, leaving.signal).catch(() => [])
  await Bun.sleep(100)
  leaving.abort()
  await crowd
  return secondsUntilIn(server, "198.51.100.2")
}

function probe({ url }: Server, over: AbortSignal): Promise<Latencies> {
  return again(over, async () => void (await fetch(`${url}/healthz`)))
}

function report({ url }: Server, ledger: Ledger, over: AbortSignal): Promise<Latencies> {
  return again(over, async () => void (await ledger.send(url, 1)))
}

interface Latencies {
  readonly p99: number
  readonly worst: number
}

/** Does something again and again, and tells how long it took, in milliseconds. */
async function again(over: AbortSignal, once: () => Promise<void>): Promise<Latencies> {
  await once()
  const latencies: number[] = []
  while (!over.aborted) {
    const began = performance.now()
    await once()
    latencies.push(performance.now() - began)
    await Bun.sleep(5)
  }
  latencies.sort((a, b) => a - b)
  return { p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0, worst: latencies.at(-1) ?? 0 }
}
