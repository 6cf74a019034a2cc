import { lastBackup, lastRestore } from "../../../../actions/operations/backups.ts"
import {
  type BackupCheck,
  backupTime,
  type LastBackup,
  type LastRestore,
} from "../../../../domain/operations/backup.ts"
import type { Errors } from "../../form.ts"
import { at, BACKUP } from "../../frame/navigation.ts"
import { Facts } from "../../parts/blocks.tsx"
import { Badge, Banner, Empty } from "../../parts/feedback.tsx"
import { FileField } from "../../parts/form/fields.tsx"
import { Form } from "../../parts/form/form.tsx"
import { formatNumber, formatSize, Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import type { PersonVisit } from "../../visit.ts"
import { ACTIONS, type BackupFile, filesOf } from "./files.tsx"
import { type ScheduleDraft, ScheduleForm } from "./schedule-form.tsx"

type Checks = PersonVisit["context"]["backups"]["checks"]

export const columnsOf = (checks: Checks): readonly Column<BackupFile>[] => [
  {
    title: "File",
    cell: ({ name }) => (
      <>
        <Time at={backupTime(name) ?? 0} />
        <br />
        <code class="soft">{name}</code>
      </>
    ),
    value: ({ name }) => name,
  },
  { title: "Size", cell: ({ bytes }) => formatSize(bytes), value: ({ bytes }) => bytes, numeric: true },
  { title: "Checked", cell: ({ name }) => <Checked of={checks.get(name)} /> },
  { title: "Actions", cell: ({ name }) => <Actions name={name} /> },
]

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
  if (check == null) return <span class="soft">{check === null ? "in progress" : "when it was made"}</span>
  return (
    <>
      <Badge tone={check.problem === null ? "good" : "bad"}>{check.problem === null ? "sound" : "damaged"}</Badge>{" "}
      <Time at={check.at} />
      {check.problem !== null && <p class="soft">{check.problem}</p>}
    </>
  )
}

type BackupFacts = Readonly<{ last: LastBackup | null; restored: LastRestore | null; files: readonly BackupFile[] }>

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
          <p>Restoring {backups.restoring}. Everyone will be signed out when it is done.</p>
        </Banner>
      )}
      <p class="soft">
        Each copy is opened and checked before it counts as a backup. It holds everything. Keep it where only you can
        read it.
      </p>
      {files.length === 0 ? (
        <Empty title="No backups yet" text="Make one now, or choose below how often to make them." />
      ) : (
        <Table caption="Backups" columns={columnsOf(backups.checks)} rows={files} rowKey={({ name }) => name} />
      )}
      <Facts
        facts={[
          { term: "Last result", value: last === null ? "none yet" : <Result of={last} /> },
          restored && { term: "Last restore", value: <RestoreResult of={restored} /> },
          { term: "Folder on the server", value: <code class="wrap">{backups.folder.path}</code> },
        ]}
      />
      <p class="hint">{elsewhere(visit)}</p>
      <ScheduleForm draft={draft} />
      <section class="stack">
        <h3>Restore from a file</h3>
        <Form action={`${ACTIONS}/upload`} submit="Upload and check" errors={errors} multipart>
          <FileField
            name="backup"
            label="Backup file"
            accept=".db,.gz,.zst"
            hint="It is checked first. Nothing changes until you confirm on the next page."
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
    : "If this disk fails, its backups are gone too. Download them, or copy the folder elsewhere."
}

function Result({ of: { ok, at: made, rows, bytes, problem } }: { readonly of: LastBackup }) {
  return (
    <>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "good" : "failed"}</Badge> <Time at={made} />,{" "}
      {ok ? `${formatNumber(rows)} rows, ${formatSize(bytes)}` : problem}
    </>
  )
}

function RestoreResult({ of: { ok, at: begun, file, by, rows, safety, problem } }: { readonly of: LastRestore }) {
  return (
    <>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "done" : "failed"}</Badge> {file}, <Time at={begun} />, by {by}.{" "}
      {ok
        ? `${formatNumber(rows)} rows. What was there before is in ${safety}: restore that to undo it.`
        : `Nothing was changed. ${problem}`}
    </>
  )
}
