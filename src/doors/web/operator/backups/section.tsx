import { basename } from "node:path"
import { lastBackup, lastRestore, noteBackup } from "../../../../actions/operations/backups.ts"
import { DISK_FREE_BYTES_MIN } from "../../../../actions/operations/readiness.ts"
import {
  type BackupCheck,
  backupName,
  backupTime,
  isBackup,
  type LastBackup,
  type LastRestore,
} from "../../../../domain/operations/backup.ts"
import { metaOf } from "../../../http/request-meta.ts"
import { unprovenPassword } from "../../account/account.tsx"
import type { Errors } from "../../form.ts"
import { at, BACKUP, BACKUPS, SYSTEM } from "../../frame/navigation.ts"
import { Fact, Facts } from "../../parts/blocks.tsx"
import { Badge, Banner, Empty } from "../../parts/feedback.tsx"
import { CurrentPassword, FileField } from "../../parts/form/fields.tsx"
import { Form } from "../../parts/form/form.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { headedPage } from "../../parts/page.tsx"
import { type Column, listCsv, Table } from "../../parts/table.tsx"
import { done, goTo, problem, type Refused } from "../../respond.ts"
import { type Answer, forOperator, withFound } from "../../route.ts"
import { arrivingForm } from "../../upload/file-page.tsx"
import type { PersonVisit } from "../../visit.ts"
import { type BackupFile, filesOf, findFile, mebibytes, restoreRoutes, soon } from "./restore.tsx"
import { type ScheduleDraft, ScheduleForm, saveSchedule } from "./schedule-form.tsx"

const ACTIONS = `${SYSTEM}/backups`

const CSV_COLUMNS: readonly Column<BackupFile>[] = [
  { title: "File", value: ({ name }) => name },
  { title: "Size", value: ({ bytes }) => bytes, numeric: true },
]

function columnsOf({ context: { backups } }: PersonVisit): readonly Column<BackupFile>[] {
  return [
    {
      title: "Made",
      cell: ({ name }) => (
        <>
          <Time at={backupTime(name) ?? 0} />
          <br />
          <code class="soft">{name}</code>
        </>
      ),
    },
    { title: "Size", cell: ({ bytes }) => mebibytes(bytes), numeric: true },
    { title: "Checked", cell: ({ name }) => <Checked of={backups.checks.get(name)} /> },
    { title: "Actions", cell: ({ name }) => <Actions name={name} /> },
  ]
}

function Actions({ name }: { readonly name: string }) {
  return (
    <div class="actions">
      <a href={at(BACKUP, name)} aria-label={`Download ${name}`}>
        Download…
      </a>
      <form method="post" action={at(BACKUP, name, "check")}>
        <button type="submit" class="button small" aria-label={`Check ${name}`}>
          Check
        </button>
      </form>
      <a class="button small" href={at(BACKUP, name, "restore")} aria-label={`Restore ${name}`}>
        Restore…
      </a>
    </div>
  )
}

function Checked({ of: check }: { readonly of: BackupCheck | null | undefined }) {
  if (check === undefined) return <span class="soft">when it was made</span>
  if (check === null) return <span class="soft">in progress</span>
  return (
    <>
      <Badge tone={check.problem === null ? "good" : "bad"}>{check.problem === null ? "sound" : "damaged"}</Badge>{" "}
      <Time at={check.at} />
      {check.problem !== null && <p class="soft">{check.problem}</p>}
    </>
  )
}

/** Whether something shown is still under way. */
export const isWorkingOnBackups = ({ context: { backups } }: PersonVisit) =>
  backups.restoring !== null || [...backups.checks.values()].includes(null)

interface BackupFacts {
  readonly last: LastBackup | null
  readonly restored: LastRestore | null
  readonly files: readonly BackupFile[]
}

export async function backupFacts(visit: PersonVisit): Promise<BackupFacts> {
  const { store } = visit.context
  const [last, restored, files] = await Promise.all([lastBackup(store), lastRestore(store), filesOf(visit)])
  return { last, restored, files }
}

type SectionProps = BackupFacts & Readonly<{ visit: PersonVisit; draft: ScheduleDraft; errors: Errors }>

/** Everything about copies of the whole: made, checked, downloaded, uploaded and restored. */
export function BackupSection({ visit, draft, errors, last, restored, files }: SectionProps) {
  const { backups } = visit.context
  return (
    <>
      {backups.restoring !== null && (
        <Banner tone="info" live>
          <p>Restoring {backups.restoring}. Everybody will be signed out when it is done.</p>
        </Banner>
      )}
      <p class="soft">
        Each copy is opened and checked before it counts as a backup. It holds everything. Keep it where only you can
        read it.
      </p>
      {files.length === 0 ? (
        <Empty title="No backups yet" text="Make one now, or choose below how often to make them." />
      ) : (
        <Table caption="Backups" columns={columnsOf(visit)} rows={files} rowKey={({ name }) => name} />
      )}
      <Facts>
        <Fact term="Last result">{last === null ? "none yet" : <Result of={last} />}</Fact>
        {restored !== null && (
          <Fact term="Last restore">
            <RestoreResult of={restored} />
          </Fact>
        )}
        <div>
          <dt>Folder on the server</dt>
          <dd class="wrap">
            <code>{backups.folder.path}</code>
          </dd>
        </div>
      </Facts>
      <p class="hint">{elsewhere(visit)}</p>
      <ScheduleForm draft={draft} />
      <section class="stack">
        <h3>Restore a copy that you have</h3>
        <Form action={`${ACTIONS}/upload`} submit="Upload and check" errors={errors} multipart>
          <FileField
            name="backup"
            label="Backup file"
            accept=".db,.gz,.zst"
            hint="It is checked as a whole first. Nothing changes before you confirm on the next page."
          />
        </Form>
      </section>
    </>
  )
}

/** What a folder of backups on the server does not protect from. */
function elsewhere({ context: { store } }: PersonVisit): string {
  return store.health.engine.startsWith("PostgreSQL")
    ? "A backup is one SQLite file, made from one snapshot of the database. With several servers, name one folder that they share (--backup-dir). To go back to any moment, use PostgreSQL's own tools beside it."
    : "If this disk fails, the backups on it are gone too. Download them, or copy the folder elsewhere."
}

function Result({ of: { ok, at: made, rows, bytes, problem: why } }: { readonly of: LastBackup }) {
  return (
    <>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "good" : "failed"}</Badge> <Time at={made} />,{" "}
      {ok ? `${formatNumber(rows)} rows, ${mebibytes(bytes)}` : why}
    </>
  )
}

function RestoreResult({ of: { ok, at: begun, file, by, rows, safety, problem: why } }: { readonly of: LastRestore }) {
  return (
    <>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "done" : "failed"}</Badge> {file}, <Time at={begun} />, by {by}.{" "}
      {ok
        ? `${formatNumber(rows)} rows. What was there before is in ${safety}: restore that to undo it.`
        : `Nothing was changed. ${why}`}
    </>
  )
}

async function make(visit: PersonVisit): Promise<Response> {
  await noteBackup(visit.context, "make backup", "installation", visit.actor)
  const made = await soon(visit.context.backups.now())
  if (made === null) return goTo(visit, BACKUPS, done("The backup is being made. Look here again in a moment."))
  const { result } = made
  if (result?.ok)
    return goTo(visit, BACKUPS, done(`The backup is made and checked: ${formatNumber(result.rows)} rows.`))
  return goTo(visit, BACKUPS, problem(`The backup failed: ${result?.problem ?? "see the server's log"}`))
}

async function check(visit: PersonVisit, { name }: BackupFile): Promise<Response> {
  const checked = await soon(visit.context.backups.check(name))
  if (checked === null) return goTo(visit, BACKUPS, done(`${name} is being checked.`))
  const { rows, problem: why } = checked.result
  if (why !== null) return goTo(visit, BACKUPS, problem(`${name} cannot be restored: ${why}`))
  return goTo(visit, BACKUPS, done(`${name} is fine and can be restored: ${formatNumber(rows)} rows.`))
}

function askToDownload(
  visit: PersonVisit,
  { name, bytes }: BackupFile,
  { errors, ...answer }: Refused = { errors: {} },
): Response {
  return headedPage(visit, {
    title: "Download a backup",
    active: SYSTEM,
    trail: [{ href: BACKUPS, label: "System" }],
    ...answer,
    body: (
      <section class="card narrow">
        <p>
          <code>{name}</code>, {mebibytes(bytes)}, made <Time at={backupTime(name) ?? 0} />. It contains everything of
          every organization: keep it where only you can read it.
        </p>
        <Form action={at(BACKUP, name)} submit="Download" cancel={BACKUPS} errors={errors}>
          <CurrentPassword />
        </Form>
      </section>
    ),
  })
}

async function download(visit: PersonVisit, file: BackupFile): Promise<Response> {
  const refused = await unprovenPassword(visit)
  if (refused !== null) return askToDownload(visit, file, refused)
  const { name } = file
  await noteBackup(visit.context, "download backup", name, visit.actor)
  const headers = {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${name}"`,
  }
  return new Response(visit.context.backups.folder.read(name), { headers })
}

/** Takes a copy from somebody's own machine into the folder, if a restore would take it, and asks whether to restore it. */
async function upload(visit: PersonVisit, show: Show): Promise<Response> {
  const form = await arrivingForm(visit.request)
  if (form === null || form.file === null) return show(visit, { uploadErrors: { backup: "Choose a file." } })
  const refuse = async (why: string) => {
    await form.stop()
    return show(visit, { uploadErrors: { backup: why } })
  }
  const { context } = visit
  const room = await context.diskFreeBytes(context.config).catch(() => 0)
  if (metaOf(visit.request).length > room - DISK_FREE_BYTES_MIN)
    return refuse("There is not enough room on the disk for it.")
  const given = basename(form.file.name)
  const name = isBackup(given) ? given : backupName(visit.now, "none")
  if ((await filesOf(visit)).some((file) => file.name === name)) return refuse("This backup is in the list already.")
  await context.backups.folder.receive(name, form.file.chunks)
  const { rows, problem: why } = await context.backups.check(name)
  if (why !== null) {
    await context.backups.folder.remove(name)
    return refuse(`This file cannot be restored: ${why}`)
  }
  await noteBackup(context, "upload backup", name, visit.actor)
  return goTo(visit, at(BACKUP, name, "restore"), done(`${given} is sound: ${formatNumber(rows)} rows.`))
}

type Show = (visit: PersonVisit, shown: { draft?: ScheduleDraft; uploadErrors?: Errors }) => Answer

/** `show` shows the page of the server again, with what was refused. */
export const backupRoutes = (show: Show) => [
  forOperator("POST", ACTIONS, make),
  forOperator("POST", `${ACTIONS}/schedule`, (visit) => saveSchedule(visit, (_, draft) => show(visit, { draft }))),
  forOperator("POST", `${ACTIONS}/upload`, (visit) => upload(visit, show)),
  forOperator("GET", `${ACTIONS}.csv`, async (visit) => listCsv("backups", CSV_COLUMNS, await filesOf(visit))),
  forOperator("GET", `${BACKUP}/:file`, withFound(findFile, askToDownload)),
  forOperator("POST", `${BACKUP}/:file`, withFound(findFile, download)),
  forOperator("POST", `${BACKUP}/:file/check`, withFound(findFile, check)),
  ...restoreRoutes,
]
