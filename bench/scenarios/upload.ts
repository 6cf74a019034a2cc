import { atMost } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { type Probe, startProbe, type Waits } from "../harness/probe.ts"
import type { Running } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { makeAdministrator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import { SELLER } from "../workload/lines.ts"
import { BUYER, marketOrganizations, packageIdOf } from "../workload/market.ts"

const ROWS = { whole: 50_000, quick: 20_000, smallest: 2_000 }
const WAIT_MS_MAX = 250
const LINES = 1_000
const START = Date.parse("2024-01-01T00:00:00Z")

export const upload: Scenario = {
  name: "upload",
  title: "Upload: a large file is received, read and reported, and who waits for it",
  run,
}

interface Phase {
  readonly name: string
  readonly ms: number
  readonly waits: Waits
}

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  const lines = Array.from({ length: LINES }, (_, i) => ({
    package_id: packageIdOf(i + 1),
    seller: SELLER,
    external_id: `LA-${i + 1}`,
    name: `Line ${i + 1}`,
    pricing_basis: "impressions",
    flight_start: "2024-01-01",
  }))
  const campaigns = [{ slug: "one", name: "One", buyer: BUYER, lines }]
  await installation.importAll({ organizations: marketOrganizations, campaigns })
  const key = await installation.ingestKey()
  const signIn = await makeAdministrator(installation)
  await using server = await installation.serve()
  const cookie = await signIn(server)
  // Its line is not in the file.
  await using probe = startProbe(server, key, packageIdOf(LINES))
  const phases = await phasesOf(server, cookie, probe, ROWS[options.size])
  return {
    unit: "s",
    figures: phases.map(({ name, ms }) => ({ contender: name, spread: spreadOf([ms / 1_000]) })),
    goals: (["healthz", "delivery"] as const).map((asked) => {
      const what = asked === "healthz" ? "/healthz" : "a report"
      return atMost(WAIT_MS_MAX, "ms", Math.max(...phases.map(({ waits }) => waits[asked])), `${what} meanwhile`)
    }),
  }
}

async function phasesOf(server: Running, cookie: string, probe: Probe, rows: number): Promise<Phase[]> {
  const headers = { cookie, origin: server.url }
  const form = new FormData()
  form.set("kind", "delivery")
  form.set("file", new File(fileOf(rows), "totals.csv", { type: "text/csv" }))
  const phases: Phase[] = []
  let address = ""
  const measure = async (name: string, work: () => Promise<void>) => {
    await probe.waits()
    const began = performance.now()
    await work()
    const phase = { name, ms: performance.now() - began, waits: await probe.waits() }
    console.error(`  ${name}: ${phase.ms.toFixed(0)} ms, waits ${JSON.stringify(phase.waits)}`)
    phases.push(phase)
  }
  await measure("received", async () => {
    const answer = await fetch(`${server.url}/app/o/${SELLER}/upload`, {
      method: "POST",
      headers,
      body: form,
      redirect: "manual",
    })
    address = answer.headers.get("location") ?? ""
    if (address === "") throw new Error(`the file was answered with ${answer.status}`)
  })
  let seen = ""
  await measure("read", async () => {
    const page = await (await fetch(server.url + address, { headers })).text()
    seen = /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ""
    if (seen === "") throw new Error("the file could not be read")
  })
  await measure("reported", async () => {
    const body = new URLSearchParams({ anyway_all: "yes", seen })
    const report = { method: "POST", headers, body, redirect: "manual" } as const
    const answer = await fetch(`${server.url}${address}/report`, report)
    if (answer.status !== 303) throw new Error(`the report was answered with ${answer.status}`)
  })
  return phases
}

/** Totals of all lines, hour after hour. */
function* rowsOf(rows: number): Generator<string> {
  yield "external_id,impressions,as_of\n"
  for (let i = 0; i < rows; i++) {
    const hour = Math.floor(i / (LINES - 1))
    const at = new Date(START + hour * 3_600_000).toISOString().slice(0, 19)
    yield `LA-${(i % (LINES - 1)) + 1},${hour + 1},${at}Z\n`
  }
}

function fileOf(rows: number): BlobPart[] {
  const parts: string[] = []
  let text = ""
  for (const row of rowsOf(rows)) {
    text += row
    if (text.length < 1_000_000) continue
    parts.push(text)
    text = ""
  }
  return [...parts, text]
}
