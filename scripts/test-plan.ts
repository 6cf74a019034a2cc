/** Files that share a process. */
export interface Batch {
  /** What they are counted under. */
  readonly group: string
  readonly files: readonly string[]
  /** Whether what the server keeps is kept in PostgreSQL. */
  readonly onPostgres: boolean
}

// Folders and files of test/, as they are written here.

// What takes long for its own sake: everything in every state, at every width, killed at every moment, installed in clean roots.
const LONG = [
  "docs-buyers",
  "docs-commands",
  "doors/agent/official-programs",
  "doors/agent/two-callers",
  "doors/cli/output",
  "doors/ingest/cut-off",
  "doors/web/browser/components",
  "doors/web/browser/every-page",
  "doors/web/browser/every-state",
  "doors/web/browser/form-errors",
  "doors/web/browser/guides",
  "doors/web/browser/sale",
  "doors/web/browser/tasks/",
  "jobs/https/",
  "release/",
  "scripts/light-install",
  "storage/postgres/failover",
  "storage/postgres/locks",
  "storage/postgres/shared-limits/crash",
  "trust/damaged-rows",
  "trust/engines",
  "trust/killed",
  "trust/linear-cost",
  "trust/recorded-disk",
  "trust/replicas/histories",
  "trust/replicas/upgrade",
  "trust/running-server",
  "trust/sale/",
  "trust/torture",
  "trust/upload-killed",
]
// What is kept in PostgreSQL, too. Every method of the port is tried on both engines (test/storage/contract), and every page compared
// (test/trust/engines.test.ts). These are about what only shows above that: what programs report, what several people change at the same
// time, what is written in many parts, and how lists are ordered and counted.
const ON_POSTGRES = [
  "doors/agent/auth-and-limits",
  "doors/agent/delivery",
  "doors/agent/isolation",
  "doors/ingest/affiliate",
  "doors/ingest/cross-organization",
  "doors/ingest/delivery",
  "doors/ingest/failing-database",
  "doors/ingest/figures-of-files",
  "doors/ingest/files",
  "doors/ingest/keys",
  "doors/ingest/model",
  "doors/web/conflicts",
  "doors/web/order",
  "doors/web/sale",
  "jobs/scheduled-backups",
]
const ON_POSTGRES_LONG = [
  "actions/",
  "doors/web/both-doors",
  "doors/web/invitations",
  "doors/web/linked-numbers",
  "doors/web/lists",
  "doors/web/month",
  "doors/web/report-questions",
  "doors/web/sign-in",
  "doors/web/totals",
  "doors/web/upload",
  "doors/web/withdraw-report",
  "trust/clock",
  "trust/damaged-rows",
  "trust/running-server",
]

// Files share a process: to start one, to load the program and to warm it up takes longer than most tests. What takes longest starts
// first, so that no process ends long after the others. These take more than the few seconds that are expected of a file.
const SECONDS: Readonly<Record<string, number>> = {
  "trust/torture": 240,
  "doors/web/browser/form-errors": 145,
  "doors/web/browser/every-page": 125,
  "doors/web/browser/tasks/desk": 85,
  "doors/web/browser/every-state": 75,
  "trust/running-server": 75,
  "trust/linear-cost": 50,
  "trust/killed": 65,
  "doors/web/browser/tasks/phone": 55,
  "trust/engines": 40,
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
  "trust/damaged-rows": 25,
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
/** Every name in this plan. */
export const NAMED = [...LONG, ...ON_POSTGRES, ...ON_POSTGRES_LONG, ...Object.keys(SECONDS)]
const SECONDS_OTHERWISE = 3.5
// Rules without a server or a database.
const SECONDS_IN_DOMAIN = 0.5
const SECONDS_OF_A_PROCESS = 80

export type Scope = "quick" | "long" | "all"

/** What runs, in the order in which it starts. */
export function planOf(files: readonly string[], scope: Scope): Batch[] {
  const wanted = (isLong: boolean) => scope === "all" || isLong === (scope === "long")
  const here = files.filter((file) => wanted(isOneOf(LONG, file)))
  const named = [...(wanted(false) ? ON_POSTGRES : []), ...(wanted(true) ? ON_POSTGRES_LONG : [])]
  const onPostgres = files.filter((file) => isOneOf(named, file))
  const batches = [...inBatches(here, false), ...inBatches(onPostgres, true)]
  return batches.sort((one, other) => secondsOf(other) - secondsOf(one))
}

function inBatches(files: readonly string[], onPostgres: boolean): Batch[] {
  const groups = Map.groupBy(files, groupOf)
  return [...groups].flatMap(([name, members]) => {
    const group = onPostgres ? `${name} on PostgreSQL` : name
    // Never one without a file: it would run all of them.
    const count = Math.min(members.length, Math.ceil(secondsOf({ files: members }) / SECONDS_OF_A_PROCESS))
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

const isOneOf = (names: readonly string[], file: string) => names.some((name) => isNamed(name, file))

/** Whether a name of this plan means the file. */
export function isNamed(name: string, file: string): boolean {
  return name.endsWith("/") ? file.startsWith(`test/${name}`) : file === `test/${name}.test.ts`
}
