import { arch, cpus, platform, release, totalmem } from "node:os"
import { isSkipped, type Outcome, type Part, type Skipped } from "./part.ts"

const FILE = "docs/reliability.md"
const HEADER = "| part | promise | what was done | outcome | when, how long, where |"

const INTRODUCTION = `# Reliability

Written by \`npm run torture\`, one row for each part, each at the end of its run; do not edit. \`npm test\` runs a short form of
those of the engine that it tests. A part runs against the compiled executable, on loopback. \`npm run torture -- --only kill,fuzz\` runs some of them.

A kill ends the process, not the machine: what a power cut does is not tried here. SQLite is written with
\`synchronous=FULL\`, PostgreSQL with \`fsync\` and \`synchronous_commit\` on, so that what was answered is handed to the disk before
the answer.
`

// One table for each engine, in this order.
const HEADINGS: Readonly<Record<string, string>> = {
  sqlite: "## SQLite",
  postgres: "## PostgreSQL, three replicas behind a proxy (`npm run torture -- --engine postgres`)",
}

export function describeMachine(): string {
  const cores = cpus()
  // Virtual machines often do not say what they are.
  const named = cores[0]?.model.trim() ?? ""
  const model = named === "" || named === "unknown" ? arch() : named
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} cores (${model}), ${memory} GB, ${platform()} ${release().split("-")[0]}, Bun ${Bun.version}`
}

type Tables = Map<string, Map<string, string>>

async function readTables(): Promise<Tables> {
  const tables: Tables = new Map(Object.keys(HEADINGS).map((engine) => [engine, new Map()]))
  const file = Bun.file(FILE)
  let engine = "sqlite"
  for (const line of (await file.exists()) ? (await file.text()).split("\n") : []) {
    engine = Object.keys(HEADINGS).find((one) => HEADINGS[one] === line) ?? engine
    const part = /^\| ([a-z-]+) \|/.exec(line)?.[1]
    if (part !== undefined && part !== "part") tables.get(engine)?.set(part, line)
  }
  return tables
}

function inMarkdown(heading: string, rows: ReadonlyMap<string, string>): string {
  return [heading, "", HEADER, "|---|---|---|---|---|", ...[...rows.values()].sort()].join("\n")
}

/** Puts the row of a part into the table of its engine and leaves the others. */
export async function writeReport(
  engine: string,
  { name, promise }: Part,
  outcome: Outcome | Skipped,
  seconds: number,
): Promise<void> {
  const tables = await readTables()
  const when = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, ${seconds} s, ${describeMachine()}`
  const cells = isSkipped(outcome)
    ? ["not tried", `NOT TRIED: ${outcome.skipped}`]
    : [outcome.done, `${outcome.problems.length === 0 ? "kept" : "BROKEN"}: ${outcome.figures}`]
  const row = `| ${[name, promise, ...cells, when].map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`
  tables.get(engine)?.set(name, row)
  const written = [...tables].map(([one, rows]) => inMarkdown(HEADINGS[one] ?? "", rows))
  await Bun.write(FILE, `${[INTRODUCTION, ...written].join("\n\n").replace("\n\n\n", "\n\n")}\n`)
}
