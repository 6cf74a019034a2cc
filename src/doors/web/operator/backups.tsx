import { lastBackup } from "../../../actions/operations/last-backup.ts"
import { noteBackup } from "../../../actions/operations/note-backup.ts"
import { isBackup, type LastBackup } from "../../../domain/operations/backup.ts"
import { pageNotFound } from "../pages/error-pages.tsx"
import { Badge } from "../parts/badge.tsx"
import { Empty } from "../parts/empty.tsx"
import { Fact, Facts } from "../parts/facts.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { listCsv } from "../parts/table/list-csv.ts"
import { type Column, Table } from "../parts/table/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"
import { at, BACKUP, BACKUPS } from "./navigation.ts"
import { formatInterval, ZONE } from "./times.ts"

// A large database takes longer than anyone waits for a page; the backup then continues in the background.
const WAIT_MS = 5_000

type BackupFile = Readonly<{ name: string; bytes: number }>

async function filesOf({ context: { backups } }: PersonVisit): Promise<BackupFile[]> {
  // There is no folder before the first backup.
  const names = await backups.folder.list().catch(() => [])
  const files = names.filter(isBackup).map((name) => ({ name, bytes: backups.folder.read(name).size }))
  return files.sort((one, other) => other.name.localeCompare(one.name))
}

const mebibytes = (bytes: number) => `${formatNumber(Math.round((bytes / 1024 / 1024) * 10) / 10)} MiB`

const COLUMNS: readonly Column<BackupFile>[] = [
  { title: "File", cell: ({ name }) => <code>{name}</code>, value: ({ name }) => name },
  { title: "Size", cell: ({ bytes }) => mebibytes(bytes), value: ({ bytes }) => bytes, numeric: true },
  {
    title: "Actions",
    cell: ({ name }) => (
      <a href={at(BACKUP, name)} download aria-label={`Download ${name}`}>
        Download
      </a>
    ),
  },
]

async function show(visit: PersonVisit): Promise<Response> {
  const { store, config, backups } = visit.context
  const [last, files] = await Promise.all([lastBackup(store), filesOf(visit)])
  const schedule = config.backupEvery === null ? "none: set --backup-every 24h" : formatInterval(config.backupEvery)
  return headedPage(visit, {
    title: "Backups",
    active: BACKUPS,
    csv: `${BACKUPS}.csv`,
    actions: (
      <form method="post" action={BACKUPS}>
        <button type="submit" class="button primary">
          Back up now
        </button>
      </form>
    ),
    intro: (
      <p class="soft">
        Each copy is opened and checked before it counts as a backup. To restore one, use <code>adbooth restore</code>.
      </p>
    ),
    body: (
      <>
        <section class="card">
          <Facts>
            <Fact term="Schedule">{schedule}</Fact>
            <div>
              <dt>Folder on the server</dt>
              <dd class="wrap">{backups.folder.path}</dd>
            </div>
            <Fact term="Last result">{last === null ? "none yet" : <Result of={last} />}</Fact>
          </Facts>
        </section>
        {files.length === 0 ? (
          <Empty
            title="No backups yet"
            text="Make one now, or start the server with --backup-every 24h to make them regularly."
          />
        ) : (
          <>
            <p class="soft">
              A backup contains everything, including what nobody else may see. Keep it where only you can read it.
            </p>
            <Table caption="Backups" columns={COLUMNS} rows={files} rowKey={({ name }) => name} />
          </>
        )}
      </>
    ),
  })
}

function Result({ of: { ok, at: made, rows, bytes, problem: why } }: { readonly of: LastBackup }) {
  return (
    <>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "good" : "failed"}</Badge> <Time at={made} zone={ZONE} />,{" "}
      {ok ? `${formatNumber(rows)} rows, ${mebibytes(bytes)}` : why}
    </>
  )
}

async function make(visit: PersonVisit): Promise<Response> {
  await noteBackup(visit.context, "make backup", "installation", visit.actor)
  const patience = Promise.withResolvers<"still at it">()
  const timer = setTimeout(() => patience.resolve("still at it"), WAIT_MS)
  const made = await Promise.race([visit.context.backups.now(), patience.promise])
  clearTimeout(timer)
  if (made === "still at it")
    return goTo(visit, BACKUPS, done("The backup is in progress. Check this page again in a while."))
  if (made?.ok) return goTo(visit, BACKUPS, done(`The backup is done and checked: ${formatNumber(made.rows)} rows.`))
  return goTo(visit, BACKUPS, problem(`The backup failed: ${made?.problem ?? "see the server's log"}`))
}

async function download(visit: PersonVisit): Promise<Response> {
  const name = param(visit, "file")
  if (!(await filesOf(visit)).some((file) => file.name === name)) return pageNotFound(visit)
  await noteBackup(visit.context, "download backup", name, visit.actor)
  const headers = {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${name}"`,
  }
  return new Response(visit.context.backups.folder.read(name), { headers })
}

export const backupRoutes = [
  forOperator("GET", BACKUPS, show),
  forOperator("POST", BACKUPS, make),
  forOperator("GET", `${BACKUPS}.csv`, async (visit) => listCsv("backups", COLUMNS, await filesOf(visit))),
  forOperator("GET", `${BACKUP}/:file`, download),
]
