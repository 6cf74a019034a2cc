import { arch, cpus, loadavg, platform, release, totalmem } from "node:os"
import { isSkipped, type Outcome, type Part, type Skipped } from "./part.ts"

const FILE = "torture/results.md"
const HEADER = "| part | promise | what was done | outcome | when, which commit, how long, where |"

const INTRODUCTION = `# What was tried to break it

Written by \`npm run torture\`, one row for each part, each at the end of its run; do not edit. \`npm run test:all\` runs a short form of
those of the engine that it tests. A part runs against the compiled executable, on loopback. \`npm run torture -- --only kill,fuzz\` runs some of them.
The load is what the whole machine had to do at the end of a part: where it is more than a few, waits by the clock are those of a busy machine.

A kill ends the process, not the machine. What a power cut does to SQLite is tried by \`power-cut\`, \`failing-disk\` and \`slow-disk\`; PostgreSQL's own disk is not, it
runs with \`fsync\` and \`synchronous_commit\` on.

## What a power cut means here

What was answered as accepted, created, revoked, imported, backed up or restored was synced to the disk before the answer. A cut at any moment therefore loses only what nobody was told, each
request as a whole, and the next start needs no repair.

How it is tried, on Linux with a C compiler: a library in \`torture/disk\`, loaded into the executable and every command beside it, catches their system calls with a seccomp filter and writes to one
journal what is done to the files: each write, truncation, new name, rename, deletion, and where each sync begins and ends. Clients note how far the journal was when their answer had come. A power cut at any place of the journal leaves
what was synced by then. Of the rest, each sector of 512 bytes, page or write is kept or lost at random, whatever came before or after it; a file may have grown without its content; names that were not synced with their
folder are there or not (\`posix\`), or in the file system's order (\`ordered\`, as ext4 and XFS do it). The executable is then started on that, and everything answered by then has to be there. One run is cut at many
places; a cut that goes wrong is kept and can be made again with \`torture/disk/replay.ts\`.

Who checks the checker: with everything kept, the rebuilt disk has to be the real one byte by byte; on a disk that lies about its syncs, the same check has to find losses. After a sync that failed, its writes stay
in doubt for ever, as on Linux, where a later sync does not write them again.

Not covered: a disk that itself lies about syncs, which no program can make up for.
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
  return `${cores.length} cores (${model}), ${memory} GB, ${platform()} ${release().split("-")[0]}, Bun ${Bun.version}, load ${Math.round(loadavg()[0] ?? 0)}`
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
  const commit = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"]).stdout.toString().trim()
  const at = new Date().toISOString().slice(0, 16).replace("T", " ")
  const when = `${at} UTC, ${commit}, ${seconds} s, ${describeMachine()}`
  const cells = isSkipped(outcome)
    ? ["not tried", `NOT TRIED: ${outcome.skipped}`]
    : [outcome.done, `${outcome.problems.length === 0 ? "kept" : "BROKEN"}: ${outcome.figures}`]
  const row = `| ${[name, promise, ...cells, when].map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`
  tables.get(engine)?.set(name, row)
  const written = [...tables].map(([one, rows]) => inMarkdown(HEADINGS[one] ?? "", rows))
  await Bun.write(FILE, `${[INTRODUCTION, ...written].join("\n\n").replace("\n\n\n", "\n\n")}\n`)
}
