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
  "doors/web/browser/(?:sale|components|every-page|every-state|form-errors|guides|tasks/)",
  "release/",
  "jobs/https/",
  "doors/ingest/cut-off",
  "doors/agent/(?:official-programs|two-callers)",
  "doors/cli/output\\.",
  "storage/postgres/(?:failover|locks|shared-limits/crash)",
  "docs-(?:buyers|commands)",
  "scripts/light-install",
  "trust/sale/",
  "trust/(?:engines|killed|linear-cost|running-server|upload-killed|recorded-disk|torture|replicas/(?:histories|upgrade))",
])
// Tests of what programs use, and of what people change at the same time, run on PostgreSQL too; those of all other doors, whose storage is
// tried on both anyway, only with the long.
const ON_POSTGRES = matching([
  "doors/ingest/",
  "jobs/",
  "doors/agent/(?:auth-and-limits|delivery|isolation|tools)",
  "doors/web/(?:conflicts|order|sale)",
])
const ON_POSTGRES_LONG = matching(["doors/(?:ingest|agent|web|metrics)/", "trust/", "actions/", "server/", "jobs/"])
// Replicas use PostgreSQL anyway; protocols and documents are the same whatever stores the data, and a browser sees no difference.
const ON_NO_ENGINE = matching([
  "jobs/https/",
  "browser/",
  "replicas/",
  "guides/",
  "official-",
  "transport",
  "every-message",
  "openapi",
  "hostile",
  "cut-off",
  "linear-cost",
])

// Files share a process: to start one, to load the program and to warm it up takes longer than most tests. What takes longest starts
// first, so that no process ends long after the others. These take more than the few seconds that are expected of a file.
const SECONDS: Readonly<Record<string, number>> = {
  "trust/torture": 240,
  "doors/web/browser/form-errors": 145,
  "doors/web/browser/every-page": 125,
  "doors/web/browser/tasks/desk": 85,
  "doors/web/browser/every-state": 75,
  "trust/running-server": 75,
  "trust/linear-cost": 70,
  "trust/killed": 65,
  "doors/web/browser/tasks/phone": 55,
  "trust/engines": 50,
  "doors/cli/output": 45,
  "doors/ingest/cut-off": 40,
  "storage/postgres/locks": 35,
  "docs-buyers": 35,
  "doors/web/upload": 28,
  "doors/cli/postgres": 27,
  "storage/contract/audit": 26,
  "doors/web/authorization": 25,
  "doors/web/linked-numbers": 20,
  "doors/web/security": 25,
  "trust/replicas/start": 25,
  "storage/copy/move": 24,
  "storage/postgres/failover": 23,
  "docs-commands": 22,
  "trust/replicas/database-away": 22,
  "jobs/alerts/alert-job": 20,
  "trust/replicas/promises": 18,
  "storage/contract/affiliates": 17,
  "storage/postgres/engine/access": 17,
  "doors/ingest/model": 17,
  "storage/contract/days": 16,
  "storage/postgres/health": 15,
  "domain/adcp/official-requests": 12,
  "doors/cli/agent": 11,
  "domain/adcp/any-arguments": 9,
  "domain/adcp/brief/never-inverted": 8,
  "domain/adcp/brief/any-brief": 7,
  "domain/import/import-schema": 6,
}
const SECONDS_OTHERWISE = 3.5
// Rules without a server or a database.
const SECONDS_IN_DOMAIN = 0.5
const SECONDS_OF_A_PROCESS = 80

export type Scope = "quick" | "long" | "all"

/** What runs, in the order in which it starts. */
export function planOf(files: readonly string[], scope: Scope): Batch[] {
  const wanted = (isLong: boolean) => scope === "all" || isLong === (scope === "long")
  const here = files.filter((file) => wanted(LONG(file)))
  const onPostgres = files.filter((file) => startsServer(file) && wanted(!ON_POSTGRES(file)))
  const batches = [...inBatches(here, false), ...inBatches(onPostgres, true)]
  return batches.sort((one, other) => secondsOf(other) - secondsOf(one))
}

function inBatches(files: readonly string[], onPostgres: boolean): Batch[] {
  const groups = Map.groupBy(files, groupOf)
  return [...groups].flatMap(([name, members]) => {
    const group = onPostgres ? `${name} on PostgreSQL` : name
    const count = Math.ceil(secondsOf({ files: members }) / SECONDS_OF_A_PROCESS)
    const batches = Array.from({ length: count }, () => ({ group, files: [] as string[], onPostgres }))
    for (const file of members.toSorted((one, other) => seconds(other) - seconds(one))) {
      const [shortest] = batches.toSorted((one, other) => secondsOf(one) - secondsOf(other))
      shortest?.files.push(file)
    }
    return batches
  })
}

function seconds(file: string): number {
  const slow = SECONDS[file.slice("test/".length, -".test.ts".length)]
  return slow ?? (file.startsWith("test/domain/") ? SECONDS_IN_DOMAIN : SECONDS_OTHERWISE)
}

const secondsOf = ({ files }: Pick<Batch, "files">) => files.reduce((sum, file) => sum + seconds(file), 0)

/** Folders with little in them share one. */
function groupOf(file: string): string {
  return (
    /^test\/(doors\/web\/browser|doors\/(?:agent|cli|ingest|web)|domain|storage|trust)\//.exec(file)?.[1] ?? "others"
  )
}

/** Whether it is a test that can run on either engine. */
function startsServer(file: string): boolean {
  if (!ON_POSTGRES_LONG(file) || ON_NO_ENGINE(file)) return false
  return /\b(?:startApp|startMarket|openTestStore)\(/.test(readFileSync(file, "utf8"))
}

function matching(paths: readonly string[]): (file: string) => boolean {
  const pattern = new RegExp(`^test/(?:.*/)?(?:${paths.join("|")})`)
  return (file) => pattern.test(file)
}
