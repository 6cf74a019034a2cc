import { basename } from "node:path"
import type { ComponentChildren } from "preact"
import { noteBackup } from "../../../../actions/operations/backups.ts"
import { DISK_FREE_BYTES_MIN } from "../../../../actions/operations/readiness.ts"
import { STREAMED_BYTES } from "../../../../domain/limits.ts"
import { backupName, backupTime, isBackup } from "../../../../domain/operations/backup.ts"
import { sizeInWords } from "../../../../domain/text/short-text.ts"
import { dayOf } from "../../../../domain/time/time-zone.ts"
import { metaOf } from "../../../http/request-meta.ts"
import { unprovenPassword } from "../../account/account.tsx"
import { arrivingForm } from "../../arriving-form.ts"
import type { Flash } from "../../cookies.ts"
import type { Errors } from "../../form.ts"
import { AUDIT, BACKUP, BACKUPS, itemAddress, SYSTEM } from "../../frame/navigation.ts"
import { forOperator, type PageAnswer, withFound } from "../../guards.ts"
import { CurrentPassword, Form, type FormProps } from "../../parts/form/form.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { done, goTo, headedPage, problem, type Refused } from "../../respond.tsx"
import { type PersonVisit, param } from "../../visit.ts"

// What is done with copies of the whole, each from the section of the System page and back to it.

export const ACTIONS = `${SYSTEM}/backups`

export type BackupFile = Readonly<{ name: string; bytes: number }>

/** The backups in the folder, newest first. */
export async function filesOf({ context: { backups } }: PersonVisit): Promise<BackupFile[]> {
  // There is no folder before the first backup.
  const names = await backups.folder.list().catch(() => [])
  const files = names.filter(isBackup).map((name) => ({ name, bytes: backups.folder.read(name).size }))
  return files.sort((a, b) => b.name.localeCompare(a.name))
}

/** The backup that the path names. Only files of ours are found. */
async function findFile(visit: PersonVisit): Promise<BackupFile | undefined> {
  const name = param(visit, "file")
  return (await filesOf(visit)).find((file) => file.name === name)
}

// A large database takes longer than anyone waits for a page; the work then continues in the background.
const WAIT_MS = 4_000

/** Goes back with the result of work, or with the words for work that takes longer than a page may. */
async function backAfter<Result>(
  visit: PersonVisit,
  work: Promise<Result>,
  underWay: string,
  flashOf: (result: Result) => Flash,
): Promise<Response> {
  const patience = Promise.withResolvers<Flash>()
  const timer = setTimeout(() => patience.resolve(done(underWay)), WAIT_MS)
  const flash = await Promise.race([work.then(flashOf), patience.promise])
  clearTimeout(timer)
  return goTo(visit, BACKUPS, flash)
}

async function make(visit: PersonVisit): Promise<Response> {
  await noteBackup(visit.context, "make backup", "installation", visit.actor)
  const underWay = "The backup is being made. Check back in a moment."
  return backAfter(visit, visit.context.backups.now(), underWay, (result) =>
    result?.ok
      ? done(`Backup made and checked: ${formatNumber(result.rows)} rows.`)
      : problem(`The backup failed: ${result?.problem ?? "see the server's log"}`),
  )
}

function check(visit: PersonVisit, { name }: BackupFile): Promise<Response> {
  const work = visit.context.backups.check(name)
  return backAfter(visit, work, `${name} is being checked.`, ({ rows, problem: why }) =>
    why === null
      ? done(`${name} is fine and can be restored: ${formatNumber(rows)} rows.`)
      : problem(`${name} cannot be restored: ${why}`),
  )
}

interface AskPassword extends Pick<FormProps, "submit" | "danger"> {
  readonly title: string
  readonly heading?: string
  /** What it does, for the operator who decides. */
  effects(visit: PersonVisit, file: BackupFile): ComponentChildren
}

/** What is done with a backup once the password was typed: a page asks for it, and again until it is right. */
function withPassword(
  path: string,
  { title, heading = title, effects, ...form }: AskPassword,
  act: (visit: PersonVisit, file: BackupFile) => PageAnswer,
) {
  const ask = (visit: PersonVisit, file: BackupFile, { errors, ...answer }: Refused = { errors: {} }) =>
    headedPage(visit, {
      title,
      heading,
      trail: [{ href: BACKUPS, label: "System" }],
      ...answer,
      body: (
        <section class="card">
          <p>
            <code>{file.name}</code>, {sizeInWords(file.bytes)}, made <Time at={backupTime(file.name)} />.
          </p>
          {effects(visit, file)}
          <Form action={visit.url.pathname} {...form} cancel={BACKUPS} errors={errors}>
            <CurrentPassword />
          </Form>
        </section>
      ),
    })
  const prove = async (visit: PersonVisit, file: BackupFile) => {
    const refused = await unprovenPassword(visit)
    return refused === null ? act(visit, file) : ask(visit, file, refused)
  }
  return [forOperator("GET", path, withFound(findFile, ask)), forOperator("POST", path, withFound(findFile, prove))]
}

const DOWNLOAD: AskPassword = {
  title: "Download a backup",
  submit: "Download",
  effects: () => <p>It contains everything, for every organization. Keep it where only you can read it.</p>,
}

async function download(visit: PersonVisit, { name }: BackupFile): Promise<Response> {
  await noteBackup(visit.context, "download backup", name, visit.actor)
  const kind = { "Content-Type": "application/octet-stream" }
  const headers = { ...kind, "Content-Disposition": `attachment; filename="${name}"` }
  return new Response(visit.context.backups.folder.read(name), { headers })
}

const RESTORE: AskPassword = {
  title: "Restore a backup",
  heading: "Replace everything with this backup?",
  submit: "Replace everything",
  danger: true,
  effects: ({ zone }, { name }) => (
    <ul class="bullets">
      <li>
        Everything reported, entered or{" "}
        <a href={`${AUDIT}?from=${dayOf(backupTime(name), zone)}`}>changed since then</a> will be gone. Systems that
        send totals will bring theirs back with their next report.
      </li>
      <li>
        Everyone will be signed out, including you. People removed since then will be back, with the passwords they had
        then.
      </li>
      <li>Keys and links that were ended since then stay ended.</li>
      <li>
        A backup is made first: restore that one to undo this. The server keeps running, and today’s data stays until
        the whole backup is in place, even through a power cut.
      </li>
      <li>
        Reports that arrive meanwhile wait up to 5 seconds. If the database is several gigabytes, stop the server and
        use <code>adbooth backup restore</code>.
      </li>
    </ul>
  ),
}

async function restore(visit: PersonVisit, { name }: BackupFile): Promise<Response> {
  const { backups } = visit.context
  if (backups.restoring !== null)
    return goTo(visit, BACKUPS, problem(`${backups.restoring} is already being restored.`))
  const { userId, email } = visit.person
  // An operator who is signed out by it comes from there to the sign-in page, with the message.
  return backAfter(visit, backups.restore(name, { userId, email }), `${name} is being restored.`, (result) =>
    result?.ok === true
      ? done(`${name} has been restored. Sign in with the password you had when it was made.`)
      : problem(`Nothing was changed: ${result?.problem ?? "see the server's log"}`),
  )
}

/** `show` shows the page of the server again, with what was refused. */
type Show = (visit: PersonVisit, refused: { readonly uploadErrors: Errors }) => PageAnswer

/** Takes a copy from somebody's own machine into the folder, if a restore would take it, and asks whether to restore it. */
async function upload(visit: PersonVisit, show: Show): Promise<Response> {
  const form = await arrivingForm(visit.request, STREAMED_BYTES)
  if (form === null || form.file === null) return show(visit, { uploadErrors: { backup: "Choose a file." } })
  const refuse = async (why: string) => {
    await form.stop()
    return show(visit, { uploadErrors: { backup: why } })
  }
  const { context } = visit
  const room = await context.diskFreeBytes().catch(() => 0)
  if (metaOf(visit.request).length > room - DISK_FREE_BYTES_MIN) return refuse("There is not enough disk space for it.")
  const given = basename(form.file.name)
  const name = isBackup(given) ? given : backupName(visit.now)
  if ((await filesOf(visit)).some((file) => file.name === name)) return refuse("This backup is already in the list.")
  await context.backups.folder.receive(name, form.file.chunks)
  const { rows, problem: why } = await context.backups.check(name)
  if (why !== null) {
    await context.backups.folder.remove(name)
    return refuse(`This file cannot be restored: ${why}`)
  }
  await noteBackup(context, "upload backup", name, visit.actor)
  return goTo(visit, itemAddress(BACKUP, name, "restore"), done(`${given} is fine: ${formatNumber(rows)} rows.`))
}

export const backupFileRoutes = (show: Show) => [
  forOperator("POST", ACTIONS, make),
  forOperator("POST", `${ACTIONS}/upload`, (visit) => upload(visit, show)),
  ...withPassword(`${BACKUP}/:file`, DOWNLOAD, download),
  forOperator("POST", `${BACKUP}/:file/check`, withFound(findFile, check)),
  ...withPassword(`${BACKUP}/:file/restore`, RESTORE, restore),
]
