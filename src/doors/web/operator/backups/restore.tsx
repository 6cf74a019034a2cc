import { backupTime, isBackup } from "../../../../domain/operations/backup.ts"
import type { ListedAuditEntry } from "../../../../storage/port/store.ts"
import { unprovenPassword } from "../../account/account.tsx"
import { AUDIT, at, BACKUP, BACKUPS, SYSTEM } from "../../frame/navigation.ts"
import { CurrentPassword } from "../../parts/form/fields.tsx"
import { Form } from "../../parts/form/form.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { headedPage } from "../../parts/page.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { done, goTo, problem, type Refused } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { actorOf } from "../audit.tsx"
import { changeInWords } from "../audit-words.ts"

const CHANGES_SHOWN = 20

const COLUMNS: readonly Column<ListedAuditEntry>[] = [
  { title: "When", cell: ({ at: when }) => <Time at={when} /> },
  { title: "Who", value: actorOf },
  { title: "What", value: ({ action }) => changeInWords(action) },
  { title: "On", cell: ({ subject }) => <code class="subject">{subject}</code> },
]

/** Asks first, with everything that people changed since. */
async function ask(
  visit: PersonVisit,
  { name, bytes }: BackupFile,
  { errors, ...answer }: Refused = { errors: {} },
): Promise<Response> {
  const made = backupTime(name) ?? 0
  const filter = { from: made }
  const { entries } = await visit.context.store.audit.list(filter, { before: null, limit: CHANGES_SHOWN + 1 })
  const shown = entries.slice(0, CHANGES_SHOWN)
  return headedPage(visit, {
    title: "Restore a backup",
    active: SYSTEM,
    trail: [{ href: BACKUPS, label: "System" }],
    heading: "Replace everything with this backup?",
    ...answer,
    body: (
      <>
        <section class="card">
          <p>
            <code>{name}</code>, {mebibytes(bytes)}, made <Time at={made} />.
          </p>
          <Effects />
          <Form
            action={at(BACKUP, name, "restore")}
            submit="Replace everything"
            danger
            cancel={BACKUPS}
            errors={errors}
          >
            <CurrentPassword />
          </Form>
        </section>
        <section class="card">
          <h2>Changes since then</h2>
          {shown.length === 0 ? (
            <p class="soft">Nobody has changed anything since then. Reported totals are not listed here.</p>
          ) : (
            <>
              <Table caption="Changes that will be gone" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
              {entries.length > shown.length && (
                <p>
                  These are the newest {CHANGES_SHOWN}. <a href={AUDIT}>See all changes</a>.
                </p>
              )}
            </>
          )}
        </section>
      </>
    ),
  })
}

/** What restoring does, for somebody who decides. */
function Effects() {
  return (
    <ul class="bullets">
      <li>
        Everything reported, entered or changed since then will be gone. Systems that send totals will bring theirs back
        with their next report.
      </li>
      <li>
        Everybody will be signed out, including you. People removed since then will be back, with the passwords they had
        then.
      </li>
      <li>Keys and share links that were revoked since then stay revoked.</li>
      <li>
        A backup is made first: restore that one to undo this. The server keeps running, and today’s data stays until
        the whole backup is in place, even through a power cut.
      </li>
      <li>
        Reports that arrive during the switch wait for up to 5 seconds. For a database of gigabytes, stop the server and
        use <code>adbooth backup restore</code>.
      </li>
    </ul>
  )
}

async function restore(visit: PersonVisit, file: BackupFile): Promise<Response> {
  const refused = await unprovenPassword(visit)
  if (refused !== null) return ask(visit, file, refused)
  const { backups } = visit.context
  const { name } = file
  if (backups.restoring !== null)
    return goTo(visit, BACKUPS, problem(`${backups.restoring} is being restored already.`))
  const { userId, email } = visit.person
  const restored = await soon(backups.restore(name, { userId, email }))
  if (restored === null) return goTo(visit, BACKUPS, done(`${name} is being restored.`))
  const { result } = restored
  if (result?.ok !== true)
    return goTo(visit, BACKUPS, problem(`Nothing was changed: ${result?.problem ?? "see the server's log"}`))
  return goTo(
    visit,
    "/app/sign-in",
    done(`${name} has been restored. Sign in with the password you had when it was made.`),
  )
}

export const restoreRoutes = [
  forOperator("GET", `${BACKUP}/:file/restore`, withFound(findFile, ask)),
  forOperator("POST", `${BACKUP}/:file/restore`, withFound(findFile, restore)),
]

export type BackupFile = Readonly<{ name: string; bytes: number }>

/** The backups in the folder, newest first. */
export async function filesOf({ context: { backups } }: PersonVisit): Promise<BackupFile[]> {
  // There is no folder before the first backup.
  const names = await backups.folder.list().catch(() => [])
  const files = names.filter(isBackup).map((name) => ({ name, bytes: backups.folder.read(name).size }))
  return files.sort((one, other) => other.name.localeCompare(one.name))
}

/** The backup that the path names. Only files of ours are found. */
export async function findFile(visit: PersonVisit): Promise<BackupFile | undefined> {
  const name = param(visit, "file")
  return (await filesOf(visit)).find((file) => file.name === name)
}

export const mebibytes = (bytes: number) => `${formatNumber(Math.round((bytes / 1024 / 1024) * 10) / 10)} MiB`

// A large database takes longer than anyone waits for a page; the work then continues in the background.
const WAIT_MS = 4_000

/** The result of work, or null when it takes longer than a page may. */
export async function soon<Result>(work: Promise<Result>): Promise<{ readonly result: Result } | null> {
  const patience = Promise.withResolvers<null>()
  const timer = setTimeout(() => patience.resolve(null), WAIT_MS)
  const first = await Promise.race([work.then((result) => ({ result })), patience.promise])
  clearTimeout(timer)
  return first
}
