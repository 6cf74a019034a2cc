import { readFileSync } from "node:fs"

/** Files that share a process. */
export interface Batch {
  /** What they are counted under. */
  readonly group: string
  readonly files: readonly string[]
  /** Whether what the server keeps is kept in PostgreSQL. */
  readonly onPostgres: boolean
}

// What takes long for its own sake: everything in every state, at every width, killed at every moment, installed in clean roots.
const LONG = matching([
  "doors/web/browser/(?:every-page|every-state|form-errors|tasks/)",
  "release/",
  "doors/ingest/cut-off",
  "docs-(?:buyers|commands)",
  "scripts/light-install",
  "trust/(?:engines|killed|linear-cost|running-server|upload-killed|recorded-disk|torture|replicas/(?:histories|upgrade))",
])
// Tests of what programs use, and of what must not mix up organizations, run on PostgreSQL too; those of all other doors only with the long.
const ON_POSTGRES = matching([
  "doors/ingest/",
  "jobs/",
  "doors/agent/(?:auth-and-limits|delivery|isolation|tools)",
  "doors/web/(?:authorization|conflicts|upload)",
])
const ON_POSTGRES_LONG = matching(["doors/(?:ingest|agent|web|metrics)/", "trust/", "actions/", "server/", "jobs/"])
// Replicas use PostgreSQL anyway; protocols and documents are the same whatever stores the data, and a browser sees no difference.
const ON_NO_ENGINE = matching([
  "browser/",
  "replicas/",
  "guides/",
  "official-clients",
  "transport",
  "every-message",
  "openapi",
  "hostile",
  "cut-off",
  "linear-cost",
])

// Files share a process: to start one, load the program and open a browser takes longer than most tests. Those that try much start first
// and share with few, so that no process ends long after the others.
const LARGE = matching(["trust/", "doors/web/browser/", "storage/contract/", "doors/cli/", "docs", "release/"])
const LARGE_PER_PROCESS = 3
const SMALL_PER_PROCESS = 12

export type Scope = "quick" | "long" | "all"

/** What runs, in the order in which it starts. */
export function planOf(files: readonly string[], scope: Scope): Batch[] {
  const wanted = (isLong: boolean) => scope === "all" || isLong === (scope === "long")
  const here = files.filter((file) => wanted(LONG(file)))
  const onPostgres = files.filter((file) => startsServer(file) && wanted(!ON_POSTGRES(file)))
  const batches = [...inBatches(here, false), ...inBatches(onPostgres, true)]
  return batches.sort((one, other) => one.files.length - other.files.length)
}

function inBatches(files: readonly string[], onPostgres: boolean): Batch[] {
  const groups = Map.groupBy(files, groupOf)
  return [...groups].flatMap(([name, members]) => {
    const group = onPostgres ? `${name} on PostgreSQL` : name
    const large = parts(members.filter(LARGE), LARGE_PER_PROCESS)
    const small = parts(
      members.filter((file) => !LARGE(file)),
      SMALL_PER_PROCESS,
    )
    return [...large, ...small].map((batch) => ({ group, files: batch, onPostgres }))
  })
}

function parts(files: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, part) =>
    files.slice(part * size, (part + 1) * size),
  )
}

function groupOf(file: string): string {
  return /^test\/(doors\/web\/browser|doors\/\w+|\w+)\//.exec(file)?.[1] ?? "documents"
}

/** Whether it is a test that can run on either engine. */
function startsServer(file: string): boolean {
  if (!ON_POSTGRES_LONG(file) || ON_NO_ENGINE(file)) return false
  return /\b(?:startApp|openTestStore)\(/.test(readFileSync(file, "utf8"))
}

function matching(paths: readonly string[]): (file: string) => boolean {
  const pattern = new RegExp(`^test/(?:.*/)?(?:${paths.join("|")})`)
  return (file) => pattern.test(file)
}
