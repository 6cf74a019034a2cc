import { Database } from "bun:sqlite"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { must, serve } from "../../harness/booth.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"
import type { Furnished } from "./load.ts"

const LINES = 400
const IMPORTS = 3

/** Files with a campaign each, imported one after the other, with or without a server beside. */
export function imports({ booth }: Furnished): Scenario {
  return {
    name: "import",
    prepare: (root) => cpSync(booth.data, join(root, "data"), { recursive: true }),
    async act({ root, logs, disk, random }) {
      disk.slowDown(random.pick([0, 2]), 2)
      const data = join(root, "data")
      const server = random.next() < 0.5 ? await serve(data, { env: disk.env, logs }) : null
      const doneAt: number[] = []
      for (let i = 0; i < IMPORTS; i++) {
        await must(["import", "-", "--data", data], { input: JSON.stringify(fileOf(i)), env: disk.env })
        doneAt.push(disk.position())
      }
      await server?.end("SIGKILL")
      return async (left, position) => [
        ...(await inspect(left)),
        ...doneAt.flatMap((at, i) => campaignProblems(join(left, "data"), i, at <= position)),
      ]
    },
  }
}

function fileOf(number: number) {
  const lines = Array.from({ length: LINES }, (_, i) => ({
    package_id: `00000000-0000-4000-9${String(number).padStart(3, "0")}-${String(i).padStart(12, "0")}`,
    seller: "acme-audio",
    name: `Imported ${i}`,
    pricing_basis: "impressions",
    flight_start: "2020-01-01",
  }))
  return { campaigns: [{ slug: `imported-${number}`, name: `Imported ${number}`, buyer: "brand-co", lines }] }
}

function campaignProblems(data: string, number: number, isDone: boolean): string[] {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  const found = database
    .query<{ lines: number }, [string]>(
      "SELECT count(*) AS lines FROM package_line l JOIN campaign c ON c.id = l.campaign_id WHERE c.slug = ?",
    )
    .get(`imported-${number}`)
  const lines = found?.lines ?? 0
  if (isDone && lines !== LINES) return [`${lines} of ${LINES} lines of a finished import are there`]
  return lines === 0 || lines === LINES ? [] : [`${lines} of ${LINES} lines of an unfinished import are there`]
}
