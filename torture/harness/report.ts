import { arch, cpus, platform, release, totalmem } from "node:os"
import { isSkipped, type Outcome, type Part, type Skipped } from "./part.ts"

const FILE = "docs/reliability.md"
const HEADER = "| part | promise | what was done | outcome | when, how long, where |"

const INTRODUCTION = `# Reliability

Written by \`npm run torture\`, one row for each part, each at the end of its run; do not edit. \`npm test\` runs a short form of
each. A part runs against the compiled executable, on loopback. \`npm run torture -- --only kill,fuzz\` runs some of them.

A kill ends the process, not the machine: what a power cut does is not tried here. The database is written with
\`synchronous=FULL\`, so that what was answered is handed to the disk before the answer.
`

export function describeMachine(): string {
  const cores = cpus()
  // Virtual machines often do not say what they are.
  const named = cores[0]?.model.trim() ?? ""
  const model = named === "" || named === "unknown" ? arch() : named
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} cores (${model}), ${memory} GB, ${platform()} ${release().split("-")[0]}, Bun ${Bun.version}`
}

/** Puts the row of a part into the table and leaves the others. */
export async function writeReport({ name, promise }: Part, outcome: Outcome | Skipped, seconds: number): Promise<void> {
  const file = Bun.file(FILE)
  const rows = new Map<string, string>()
  for (const line of (await file.exists()) ? (await file.text()).split("\n") : []) {
    const part = /^\| ([a-z-]+) \|/.exec(line)?.[1]
    if (part !== undefined && part !== "part") rows.set(part, line)
  }
  const when = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, ${seconds} s, ${describeMachine()}`
  const cells = isSkipped(outcome)
    ? ["not tried", `NOT TRIED: ${outcome.skipped}`]
    : [outcome.done, `${outcome.problems.length === 0 ? "kept" : "BROKEN"}: ${outcome.figures}`]
  rows.set(name, `| ${[name, promise, ...cells, when].map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`)
  const table = [HEADER, "|---|---|---|---|---|", ...[...rows.values()].sort()].join("\n")
  await Bun.write(FILE, `${INTRODUCTION}\n${table}\n`)
}
