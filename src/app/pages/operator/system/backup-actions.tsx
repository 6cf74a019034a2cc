import type { ComponentChildren } from "preact"
import {
  backUpNow,
  backupPath,
  backupWork,
  beginBackupWork,
  checkBackupNamed,
  fetchCopy,
  forgetBackupWork,
  noteBackup,
  receiveBackup,
  restoreFromFolder,
} from "../../../../actions/operations/backups.ts"
import { provePassword } from "../../../../actions/people/passwords.ts"
import { UserError } from "../../../../domain/errors.ts"
import type { StoredCopy } from "../../../../domain/operations/backup.ts"
import { backupTime, isBackupName } from "../../../../domain/operations/backup.ts"
import { goTo, goToWithProblem } from "../../../flash.ts"
import type { FormOf } from "../../../forms/form.ts"
import { takeFile } from "../../../forms/streamed-form.ts"
import { Form } from "../../../parts/form.tsx"
import { formatBytes, formatNumber, Time } from "../../../parts/format.tsx"
import { CurrentPassword } from "../../../parts/people.tsx"
import { proofOf, unproven } from "../../../session/session.ts"
import { NotFound, orNotFound, type SignedInVisit } from "../../../visit.ts"
import { backupAddress, showUploadProblem } from "./backups.tsx"
import { BACKUPS, SYSTEM_TRAIL } from "./service.tsx"

// Longer work continues in the background.
const WAIT_MS = 3_000

/** Goes back to the list with the outcome, or lets the list show that it's still under way. */
async function work(visit: SignedInVisit, title: string, run: () => Promise<string>): Promise<Response> {
  const { context } = visit
  const begun = beginBackupWork(context, title, run)
  if (begun === null) return goToWithProblem(visit, BACKUPS, "Something else is under way. Wait until it’s done.")
  const waited = Promise.withResolvers<void>()
  const timer = setTimeout(waited.resolve, WAIT_MS)
  await Promise.race([begun, waited.promise])
  clearTimeout(timer)
  const outcome = backupWork(context)?.outcome
  if (outcome == null) return goTo(visit, BACKUPS)
  forgetBackupWork(context)
  return outcome.isDone ? goTo(visit, BACKUPS, outcome.text) : goToWithProblem(visit, BACKUPS, outcome.text)
}

export const makeBackup = (visit: SignedInVisit): Promise<Response> =>
  work(visit, "A backup is being made", async () => {
    const { name, problem } = await backUpNow(visit.context, visit.actor)
    if (problem !== null) throw new UserError(`The backup failed: ${problem}`)
    return `${name} is made and checked.`
  })

/** A backup of the folder. Only names that the list has are found. */
async function findFile({ context, params }: SignedInVisit): Promise<StoredCopy> {
  const files = await context.services.backups.list()
  return orNotFound(files.find(({ name }) => name === params["backup"]))
}

export async function checkOne(visit: SignedInVisit): Promise<Response> {
  const { name } = await findFile(visit)
  return work(visit, `${name} is being checked`, async () => {
    const { rows } = await checkBackupNamed(visit.context, name)
    return `${name} is intact and can be restored: ${formatNumber(rows)} rows.`
  })
}

export function fetchOne(visit: SignedInVisit): Promise<Response> {
  const name = visit.params["backup"] ?? ""
  if (!isBackupName(name)) throw new NotFound()
  return work(visit, `${name} is being fetched`, async () => {
    await fetchCopy(visit.context, visit.actor, name)
    return `${name} is on this server now, and can be restored.`
  })
}

/** Streams a backup from the operator's computer into the folder. */
export async function uploadBackup(visit: SignedInVisit): Promise<Response> {
  const { context, actor, request } = visit
  try {
    const name = await takeFile(request, (file) => receiveBackup(context, actor, file))
    if (name === null) return await showUploadProblem(visit, "Choose a file.")
    return goTo(visit, `${backupAddress(name)}/restore`, `${name} is intact. It’s in the list of backups now.`)
  } catch (cause) {
    if (cause instanceof UserError) return showUploadProblem(visit, cause.message)
    throw cause
  }
}

interface PasswordForm {
  readonly title: string
  readonly body: ComponentChildren
  readonly submit: string
  readonly isDanger: boolean
  act(visit: SignedInVisit, file: StoredCopy): Promise<Response>
}

/** A form that asks for the password, because a stolen session must not get or replace all data. */
const withPassword = ({ title, body, submit, isDanger, act }: PasswordForm): FormOf<SignedInVisit, StoredCopy> => ({
  find: findFile,
  view: (_, { name, bytes }) => ({
    title,
    trail: [...SYSTEM_TRAIL, { href: BACKUPS, label: "Backups" }],
    hasTimes: true,
    body: (
      <section class="card form-card">
        <p>
          <code class="wrap">{name}</code>, {formatBytes(bytes)}, made <Time at={backupTime(name)} />.
        </p>
        {body}
        <Form submit={submit} cancel={BACKUPS} isDanger={isDanger}>
          <CurrentPassword />
        </Form>
      </section>
    ),
  }),
  async save(visit, file, { password = "" }) {
    const proven = await provePassword(visit.context, proofOf(visit, password))
    return proven === "right" ? act(visit, file) : unproven(proven)
  },
})

export const downloadForm = withPassword({
  title: "Download a backup",
  body: <p>It contains everything, for every organization. Keep it where only you can read it.</p>,
  submit: "Download",
  isDanger: false,
  async act({ context, actor }, { name }) {
    await noteBackup(context, actor, `downloaded the backup ${name}`)
    return new Response(Bun.file(backupPath(context, name)), {
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${name}"`,
      },
    })
  },
})

export const restoreForm = withPassword({
  title: "Replace everything with this backup?",
  body: (
    <div class="prose">
      <ul>
        <li>Everything that was reported, entered or changed since then is replaced.</li>
        <li>Everyone is signed out, including you. People have the passwords that they had then.</li>
        <li>Keys and links that were revoked since then stay revoked.</li>
        <li>The current data is backed up first. Restore that backup to undo this.</li>
        <li>Reports that arrive meanwhile may be refused. Systems send them again.</li>
      </ul>
    </div>
  ),
  submit: "Replace everything",
  isDanger: true,
  act: (visit, { name }) =>
    work(visit, `${name} is being restored`, async () => {
      const { problem } = await restoreFromFolder(visit.context, visit.user.email, name)
      if (problem !== null) throw new UserError(`Nothing was changed: ${problem}`)
      return `${name} is restored. Sign in with the password that you had when it was made.`
    }),
})
