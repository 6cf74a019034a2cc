import { Database } from "bun:sqlite"
import { join } from "node:path"
import { startProbe } from "../harness/probe.ts"
import { processorSeconds, residentMib } from "../harness/processor-time.ts"
import { type Installation, install, type RunningServer } from "../harness/product.ts"
import { spreadOf } from "../harness/rounds.ts"
import { linesFile, packageId, SELLER } from "../harness/workload.ts"
import type { Scenario } from "./scenario.ts"

const LINES = 500
const HOURS = 10_000
const HOUR_MICROS = 3_600_000_000
const TIMES = 10
const IDLE_MS = 5_000
const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"

export const year: Scenario = {
  name: "year",
  title: "5 million hourly reports of 500 lines: pages, start, memory, and how long a report waits meanwhile",
  async run(program, { isSmallest }) {
    using installation = install(program)
    const flightStart = new Date(Date.now() - (HOURS / 24 + 5) * 86_400_000).toISOString().slice(0, 10)
    // The last line is for the reports beside.
    await installation.import(linesFile(LINES + 1, flightStart))
    const key = await installation.newKey(SELLER)
    const account = ["--email", EMAIL, "--name", "Ada", "--org", SELLER, "--role", "admin", "--password-stdin"]
    await installation.run(["user", "create", ...account], PASSWORD)
    seed(installation, isSmallest ? 48 : HOURS)

    await using server = await installation.serve()
    // By then the jobs of the start are done.
    await Bun.sleep(isSmallest ? 0 : IDLE_MS)
    const idleMib = residentMib(server.pid)
    const cookie = await signIn(server)
    const probe = startProbe(server.url, key, packageId(LINES))
    const lines: string[] = [`start ${Math.round(server.startedMs)} ms, idle ${Math.round(idleMib)} MiB of memory`]
    for (const [name, path] of Object.entries(pages())) lines.push(await measurePage(server, cookie, name, path))
    const { reportMs, healthMs } = await probe.stop()
    const waits = `a report waited ${Math.round(reportMs)} ms at most, /healthz ${Math.round(healthMs)} ms`
    return [...lines, `meanwhile ${waits}, at the end ${Math.round(residentMib(server.pid))} MiB of memory`]
  },
}

function pages(): Record<string, string> {
  const home = `/app/o/${SELLER}`
  const line = `${home}/campaigns/autumn/lines/${packageId(3)}`
  return {
    Today: home,
    "campaign with 500 lines": `${home}/campaigns/autumn`,
    campaigns: `${home}/campaigns`,
    line,
    "history of a line, half a year ago": `${line}?before=${(lastHour() - (HOURS / 2) * HOUR_MICROS).toString()}`,
    "days of a line as CSV": `${line}/days.csv`,
  }
}

const lastHour = (): number => Math.floor((Date.now() * 1_000) / HOUR_MICROS) * HOUR_MICROS - HOUR_MICROS

async function measurePage({ url, pid }: RunningServer, cookie: string, name: string, path: string): Promise<string> {
  const open = async () => {
    const began = performance.now()
    const response = await fetch(url + path, { headers: { Cookie: cookie }, redirect: "manual" })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return performance.now() - began
  }
  const first = await open()
  const before = processorSeconds(pid)
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) times.push(await open())
  const workMs = ((processorSeconds(pid) - before) * 1_000) / TIMES
  return `${name}: ${Math.round(spreadOf(times).median)} ms (the first time ${Math.round(first)} ms), at most ${workMs.toFixed(1)} ms of processor time`
}

async function signIn({ url }: RunningServer): Promise<string> {
  const body = new URLSearchParams({ email: EMAIL, password: PASSWORD })
  const headers = { "Sec-Fetch-Site": "same-origin" }
  const response = await fetch(`${url}/app/sign-in`, { method: "POST", headers, body, redirect: "manual" })
  if (response.status !== 303) throw new Error(`Signing in was answered with ${response.status}.`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .join("; ")
}

/** Writes an hourly total of each line straight into the tables: over HTTP it would take an hour. */
function seed({ data }: Installation, hours: number): void {
  using database = new Database(join(data, "adbooth.db"))
  // Only while seeding. The server opens the file with its own settings.
  for (const pragma of ["synchronous = OFF", "cache_size = -400000"]) database.run(`PRAGMA ${pragma}`)
  const first = lastHour() - (hours - 1) * HOUR_MICROS
  database.transaction(() => {
    database.run("INSERT INTO delivery_source (id, kind, reference, actor) VALUES (1000, 'key', 'bench', 'key:1')")
    database.run(
      `WITH RECURSIVE hour (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hour WHERE n + 1 < ?1)
       INSERT INTO delivery_report (as_of, line_id, received_at, quantity, source_id)
       SELECT ?2 + n * ?3, id, ?2 + n * ?3, (n + 1) * (50 + id % 50), 1000 FROM hour CROSS JOIN line WHERE package_id <> ?4`,
      [hours, first, HOUR_MICROS, packageId(LINES)],
    )
    // What is measured at midnight belongs to the day that ends.
    database.run(
      `INSERT INTO delivery_day (day, line_id, as_of, quantity, low)
       SELECT date((as_of - 1) / 1000000, 'unixepoch') AS day, line_id, max(as_of), max(quantity), min(quantity)
       FROM delivery_report GROUP BY 1, 2`,
    )
    database.run(
      `INSERT INTO delivery_total (line_id, as_of, quantity, first_day)
       SELECT line_id, max(as_of), max(quantity), min(day) FROM delivery_day GROUP BY line_id`,
    )
  })()
}
