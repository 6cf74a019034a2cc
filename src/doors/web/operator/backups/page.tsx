import { lastBackup, lastRestore, noteBackup } from "../../../../actions/operations/backups.ts"
import {
  type BackupCheck,
  backupTime,
  type LastBackup,
  type LastRestore,
} from "../../../../domain/operations/backup.ts"
import { unprovenPassword } from "../../account/account.tsx"
import { at, BACKUP, BACKUPS } from "../../frame/navigation.ts"
import { Fact, Facts } from "../../parts/blocks.tsx"
import { Badge, Banner, Empty } from "../../parts/feedback.tsx"
import { CurrentPassword } from "../../parts/form/fields.tsx"
import { Form } from "../../parts/form/form.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { headedPage } from "../../parts/page.tsx"
import { type Column, listCsv, Table } from "../../parts/table.tsx"
import { done, goTo, problem, type Refused } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type BackupFile, filesOf, findFile, mebibytes, restoreRoutes, soon } from "./restore.tsx"
import { type ScheduleDraft, ScheduleForm, saveSchedule, scheduleDraft } from "./schedule-form.tsx"

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

async function show(visit: PersonVisit, draft?: ScheduleDraft): Promise<Response> {
  const { store, backups } = visit.context
  const [last, restored, files] = await Promise.all([lastBackup(store), lastRestore(store), filesOf(visit)])
  const isBusy = backups.restoring !== null || [...backups.checks.values()].includes(null)
  return headedPage(visit, {
    title: "Backups",
    active: BACKUPS,
    csv: `${BACKUPS}.csv`,
    isBusy: isBusy && draft === undefined,
    actions: (
      <form method="post" action={BACKUPS}>
        <button type="submit" class="button primary">
          Back up now
        </button>
      </form>
    ),
    intro:
      "Each copy is opened and checked before it counts as a backup. It contains everything: keep it where only you can read it.",
    body: (
      <>
        {backups.restoring !== null && (
          <Banner tone="info" live>
            <p>Restoring {backups.restoring}. Everybody will be signed out when it is done.</p>
          </Banner>
        )}
        <ScheduleForm draft={draft ?? (await scheduleDraft(visit))} />
        <section class="card">
          <Facts>
            <Fact term="Last result">{last === null ? "none yet" : <Result of={last} />}</Fact>
            {restored !== null && (
              <Fact term="Last restore">
                <RestoreResult of={restored} />
              </Fact>
            )}
            <div>
              <dt>Folder on the server</dt>
              <dd class="wrap">{backups.folder.path}</dd>
            </div>
          </Facts>
          <p class="hint">{elsewhere(visit)}</p>
        </section>
        {files.length === 0 ? (
          <Empty title="No backups yet" text="Make one now, or choose above how often to make them." />
        ) : (
          <Table caption="Backups" columns={columnsOf(visit)} rows={files} rowKey={({ name }) => name} />
        )}
      </>
    ),
  })
}

/** What a folder of backups on the server does not protect from. */
function elsewhere({ context: { store } }: PersonVisit): string {
  return store.health.engine.startsWith("PostgreSQL")
    ? "A backup is one SQLite file, made from one snapshot of the database. With several servers, name one folder that they share (--backup-dir). To go back to any moment, use PostgreSQL's own tools beside it."
    : "A backup on the same disk does not survive that disk: download it, or send the folder somewhere else as well."
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
  if (made === null) return goTo(visit, BACKUPS, done("The backup is in progress. Check this page again in a while."))
  const { result } = made
  if (result?.ok)
    return goTo(visit, BACKUPS, done(`The backup is done and checked: ${formatNumber(result.rows)} rows.`))
  return goTo(visit, BACKUPS, problem(`The backup failed: ${result?.problem ?? "see the server's log"}`))
}

async function check(visit: PersonVisit, { name }: BackupFile): Promise<Response> {
  const checked = await soon(visit.context.backups.check(name))
  if (checked === null) return goTo(visit, BACKUPS, done(`${name} is being checked.`))
  const { rows, problem: why } = checked.result
  if (why !== null) return goTo(visit, BACKUPS, problem(`${name} cannot be restored: ${why}`))
  return goTo(visit, BACKUPS, done(`${name} is sound and can be restored: ${formatNumber(rows)} rows.`))
}

function askToDownload(
  visit: PersonVisit,
  { name, bytes }: BackupFile,
  { errors, ...answer }: Refused = { errors: {} },
): Response {
  return headedPage(visit, {
    title: "Download a backup",
    active: BACKUPS,
    trail: [{ href: BACKUPS, label: "Backups" }],
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

export const backupRoutes = [
  forOperator("GET", BACKUPS, (visit) => show(visit)),
  forOperator("POST", BACKUPS, make),
  forOperator("POST", `${BACKUPS}/schedule`, (visit) => saveSchedule(visit, show)),
  forOperator("GET", `${BACKUPS}.csv`, async (visit) => listCsv("backups", CSV_COLUMNS, await filesOf(visit))),
  forOperator("GET", `${BACKUP}/:file`, withFound(findFile, askToDownload)),
  forOperator("POST", `${BACKUP}/:file`, withFound(findFile, download)),
  forOperator("POST", `${BACKUP}/:file/check`, withFound(findFile, check)),
  ...restoreRoutes,
]
