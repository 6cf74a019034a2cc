import { join } from "node:path"
import { adbooth } from "../../test/binary.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"

const PASSWORD = "a password for the torture"
const PROBE_MS_MAX = 250
const SELLERS = "/app/o/acme-audio"
const PAGES = [
  `${SELLERS}/campaigns`,
  `${SELLERS}/campaigns.csv`,
  `${SELLERS}/campaigns/torture`,
  `${SELLERS}/campaigns/torture/lines.csv`,
  `${SELLERS}/affiliates`,
  "/app/operator/system",
  "/app/operator/audit.csv",
  "/app/operator/requests?calls=all&text=nowhere",
]

export const waits: Part = {
  name: "waits",
  promise:
    "pages, downloads, an import, an export and a backup at the same time fail no report and keep no probe waiting",
  async run({ waitLines, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: waitLines })
    await makeOperator(booth.data, PASSWORD)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    await using server = await serve(booth.data)
    const cookie = await signIn(server, PASSWORD)
    let isOver = false
    const until = () => isOver
    const beside = [reportUntil(until, ledger, server), probeUntil(until, server), browseUntil(until, server, cookie)]
    for (const [name, args, input] of commandsOf(folder.path, waitLines)) {
      const { code, err } = await adbooth([...args, "--data", booth.data], input === undefined ? {} : { input })
      if (code !== 0) problems.push(`${name} ended with ${code}: ${err}`)
    }
    isOver = true
    const [slowestReport = 0, slowestProbe = 0] = await Promise.all(beside)
    for (const [verdict, count] of ledger.verdicts)
      if (verdict !== "accepted") problems.push(`${count} reports were answered ${verdict}`)
    if (judgeTiming === 1 && slowestProbe > PROBE_MS_MAX) problems.push(`a probe waited ${Math.round(slowestProbe)} ms`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `an import of ${waitLines} lines, an export, a list and a backup beside a browsed and reporting server`,
      figures: `${ledger.acceptedCount} reports, none failed, slowest ${Math.round(slowestReport)} ms, slowest probe ${Math.round(slowestProbe)} ms`,
      problems,
    }
  },
}

function commandsOf(folder: string, lines: number): [string, string[], string?][] {
  const imported = Array.from({ length: lines }, (_, i) => ({
    seller: "acme-audio",
    name: `Imported ${i}`,
    pricing_basis: "impressions",
    flight_start: "2020-01-01",
  }))
  const file = { campaigns: [{ slug: "imported", name: "Imported", buyer: "brand-co", lines: imported }] }
  return [
    ["the import", ["import", "-"], JSON.stringify(file)],
    ["the same import again", ["import", "-"], JSON.stringify(file)],
    ["the export", ["export"]],
    ["the list of lines", ["line", "list"]],
    ["the backup", ["backup", "create", join(folder, "backup.db")]],
  ]
}

async function slowestOf(until: () => boolean, ask: () => Promise<unknown>): Promise<number> {
  let slowest = 0
  while (!until()) {
    const began = performance.now()
    await ask()
    slowest = Math.max(slowest, performance.now() - began)
  }
  return slowest
}

const reportUntil = (until: () => boolean, ledger: Ledger, { url }: Server) =>
  slowestOf(until, () => ledger.send(url, 5))

const probeUntil = (until: () => boolean, { url }: Server) =>
  slowestOf(until, async () => (await fetch(`${url}/healthz`)).text())

async function browseUntil(until: () => boolean, { url }: Server, cookie: string): Promise<number> {
  return slowestOf(until, async () => {
    for (const path of PAGES) await (await fetch(url + path, { headers: { cookie } })).bytes()
  })
}
