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
  "doors/web/browser/(?:components|every-page|every-state|form-errors|guides|tasks/)",
  "release/",
  "doors/ingest/cut-off",
  "doors/agent/(?:official-programs|two-callers)",
  "doors/cli/(?:output|watch-killed)\\.",
  "storage/postgres/(?:failover|shared-limits/crash)",
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
  "official-",
  "transport",
  "every-message",
  "openapi",
  "hostile",
  "cut-off",
  "linear-cost",
])

// Files share a process: to start one and load the program takes longer than most tests. What takes longest starts first, so that no
// process ends long after the others. These take more than the few seconds that are expected of a file, most of them waiting.
const SECONDS: Readonly<Record<string, number>> = {
  "doors/web/browser/every-page": 100,
  "doors/web/browser/form-errors": 100,
  "doors/web/browser/every-state": 100,
  "trust/torture": 85,
  "doors/cli/output": 40,
  "doors/web/operator/backups": 37,
  "doors/web/upload": 36,
  "storage/postgres/engine/access": 31,
  "trust/replicas/database-away": 29,
  "storage/postgres/failover": 23,
  "doors/web/browser/guides": 20,
  "doors/web/authorization": 20,
  "doors/web/words": 19,
  "doors/cli/postgres": 18,
  "trust/one-server": 18,
  "doors/web/browser/components": 16,
  "domain/adcp/brief/any-brief": 16,
  "doors/agent/official-clients": 16,
  "storage/copy/move": 16,
  "doors/web/accounts": 15,
  "doors/web/browser/journeys": 14,
  "doors/ingest/model": 14,
  "storage/postgres/health": 14,
  "domain/adcp/official-requests": 13,
  "jobs/scheduled-backups": 12,
  "actions/people/nothing-in-between": 12,
  "doors/web/conflicts": 12,
  "doors/web/security": 12,
  "storage/contract/affiliates": 12,
  "storage/contract/users": 12,
  "files/new-file": 11,
  "demo/seed": 11,
  "doors/web/browser/line": 11,
  "trust/room": 11,
  "doors/agent/delivery": 11,
  "doors/web/charts": 11,
  "doors/web/redaction": 11,
  "doors/cli/report/report": 10,
  "trust/disk-sync": 10,
  "trust/replicas/promises": 10,
  "doors/agent/two-callers": 10,
  "actions/upload/work": 9,
  "docs-integrators": 8,
  "doors/cli/watch": 8,
  "doors/cli/agent": 8,
  "doors/cli/report/failures": 8,
  "doors/cli/serve": 8,
  "jobs/replicas": 8,
  "domain/adcp/brief/unwanted": 8,
  "domain/adcp/schema/catalogue-schemas": 8,
  "doors/ingest/files": 8,
  "doors/ingest/requests": 8,
  "doors/agent/every-message": 8,
  "doors/web/both-doors": 8,
  "storage/contract/deliveries": 8,
  "storage/contract/campaigns": 8,
  "storage/contract/withdrawals": 8,
  "storage/contract/call-log": 8,
  "storage/contract/sign-in": 8,
  "storage/contract/days": 8,
  "storage/contract/import-export": 8,
  "storage/contract/keys": 8,
  "storage/contract/uploads": 8,
  "storage/contract/audit": 8,
}
const SECONDS_OTHERWISE = 2.5
// Rules without a server or a database.
const SECONDS_IN_DOMAIN = 0.5
const SECONDS_OF_A_PROCESS = 30

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
    const batches: { group: string; files: string[]; onPostgres: boolean }[] = []
    for (const file of members.toSorted((one, other) => seconds(other) - seconds(one))) {
      const withRoom = batches.find((batch) => secondsOf(batch) + seconds(file) <= SECONDS_OF_A_PROCESS)
      if (withRoom === undefined) batches.push({ group, files: [file], onPostgres })
      else withRoom.files.push(file)
    }
    return batches
  })
}

function seconds(file: string): number {
  const slow = SECONDS[file.slice("test/".length, -".test.ts".length)]
  return slow ?? (file.startsWith("test/domain/") ? SECONDS_IN_DOMAIN : SECONDS_OTHERWISE)
}

const secondsOf = ({ files }: Batch) => files.reduce((sum, file) => sum + seconds(file), 0)

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
