import {
  backupSchedule,
  changeBackupSchedule,
  lastBackup,
  lastRestore,
  scheduleSeen,
} from "../../../../actions/operations/backups.ts"
import type { BackupCheck, LastBackup, LastRestore, ScheduleInForce } from "../../../../domain/operations/backup.ts"
import { BACKUPS_KEPT_MAX, backupTime } from "../../../../domain/operations/backup.ts"
import { sizeInWords } from "../../../../domain/text/short-text.ts"
import { readNumber } from "../../../../domain/text/typed-number.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND } from "../../../../domain/time/moment.ts"
import { type Errors, readForm } from "../../form.ts"
import { BACKUP, BACKUPS, itemAddress, SYSTEM } from "../../frame/navigation.ts"
import type { PageAnswer } from "../../guards.ts"
import { Badge, Banner, ButtonLink, Empty, Facts, PostButton } from "../../parts/blocks.tsx"
import { type Choice, Select } from "../../parts/form/choices.tsx"
import { Field, FileField, Form, HiddenInputs } from "../../parts/form/form.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { done, goTo } from "../../respond.tsx"
import { type PersonVisit, readId } from "../../visit.ts"
import { ACTIONS, type BackupFile, filesOf } from "./files.tsx"

const columnsOf = ({ checks }: PersonVisit["context"]["backups"]): readonly Column<BackupFile>[] => [
  {
    title: "File",
    cell: ({ name }) => [<Time at={backupTime(name)} />, <br />, <code class="soft">{name}</code>],
  },
  { title: "Size", cell: ({ bytes }) => sizeInWords(bytes), numeric: true },
  { title: "Checked", cell: ({ name }) => <Checked of={checks.get(name)} /> },
  { title: "Actions", cell: ({ name }) => <Actions name={name} /> },
]

const Actions = ({ name }: { readonly name: string }) => (
  <div class="actions">
    <a href={itemAddress(BACKUP, name)} aria-label={`Download ${name}`}>
      Download…
    </a>
    <PostButton small action={itemAddress(BACKUP, name, "check")} label="Check" about={`Check ${name}`} />
    <ButtonLink small href={itemAddress(BACKUP, name, "restore")} label="Restore…" about={`Restore ${name}`} />
  </div>
)

function Checked({ of: check }: { readonly of: BackupCheck | null | undefined }) {
  if (check == null) return <span class="soft">{check === null ? "In progress" : "When it was made"}</span>
  const { problem, at } = check
  return [
    outcome(problem === null, "Sound", "Damaged"),
    " ",
    <Time at={at} />,
    problem && <p class="soft">{problem}</p>,
  ]
}

const outcome = (ok: boolean, good: string, bad: string) => <Badge tone={ok ? "good" : "bad"}>{ok ? good : bad}</Badge>

export async function backupFacts(visit: PersonVisit) {
  const { store } = visit.context
  const [last, restored, files] = await Promise.all([lastBackup(store), lastRestore(store), filesOf(visit)])
  return { last, restored, files }
}

type SectionProps = Awaited<ReturnType<typeof backupFacts>> &
  Readonly<{ visit: PersonVisit; draft: ScheduleDraft; errors: Errors }>

const UPLOAD_HINT = "It is checked first. Nothing changes until you confirm on the next page."

/** Everything about copies of the whole: made, checked, downloaded, uploaded and restored. */
export function BackupSection({ visit, draft, errors, last, restored, files }: SectionProps) {
  const { backups } = visit.context
  return [
    backups.restoring !== null && (
      <Banner tone="info" live>
        <p>Restoring {backups.restoring}. Everyone will be signed out when it is done.</p>
      </Banner>
    ),
    <p class="soft">
      Each copy is opened and checked before it counts as a backup. It holds everything. Keep it where only you can read
      it.
    </p>,
    files.length === 0 ? (
      <Empty title="No backups yet" text="Make one now, or choose below how often to make them." />
    ) : (
      <Table caption="Backups" columns={columnsOf(backups)} rows={files} />
    ),
    <Facts
      facts={[
        { term: "Last result", value: last === null ? "none yet" : backupResult(last) },
        restored && { term: "Last restore", value: restoreResult(restored) },
        { term: "Folder on the server", value: <code class="wrap">{backups.folder.path}</code> },
      ]}
    />,
    <p class="hint">{elsewhere(visit)}</p>,
    <ScheduleForm draft={draft} />,
    <section class="stack">
      <h3>Restore from a file</h3>
      <Form action={`${ACTIONS}/upload`} submit="Upload and check" errors={errors} multipart>
        <FileField name="backup" label="Backup file" accept=".db,.gz,.zst" hint={UPLOAD_HINT} />
      </Form>
    </section>,
  ]
}

/** What a folder of backups on the server does not protect from. */
const elsewhere = ({ context: { store } }: PersonVisit): string =>
  store.health.engine.startsWith("PostgreSQL")
    ? "A backup is one SQLite file, made from one snapshot of the database. With several servers, name one folder that they share (--backup-dir). To go back to any moment, use PostgreSQL's own tools beside it."
    : "If this disk fails, its backups are gone too. Download them, or copy the folder elsewhere."

function backupResult({ ok, at: made, rows, bytes, problem }: LastBackup) {
  const said = ok ? `${formatNumber(rows)} rows, ${sizeInWords(bytes)}` : problem
  return [outcome(ok, "Good", "Failed"), " ", <Time at={made} />, ", ", said]
}

function restoreResult({ ok, at: begun, file, by, rows, safety, problem }: LastRestore) {
  const undo = `What was there before is in ${safety}: restore that to undo it.`
  const said = ok ? `${formatNumber(rows)} rows. ${undo}` : `Nothing was changed. ${problem}`
  return [outcome(ok, "Done", "Failed"), ` ${file}, `, <Time at={begun} />, `, by ${by}. ${said}`]
}

/** The form as it is shown: what is in force, what was typed, and what the edit started from. */
export type ScheduleDraft = Awaited<ReturnType<typeof scheduleDraft>> & { readonly errors?: Errors }

const NEVER = "never"
const HOUR = 3_600 * MICROS_PER_SECOND

const COMMON_INTERVALS: readonly Choice[] = [
  { value: String(HOUR), label: "Every hour" },
  { value: String(6 * HOUR), label: "Every 6 hours" },
  { value: String(12 * HOUR), label: "Every 12 hours" },
  { value: String(MICROS_PER_DAY), label: "Every day" },
  { value: String(7 * MICROS_PER_DAY), label: "Every week" },
]

export async function scheduleDraft({ context: { store, config } }: PersonVisit) {
  const [inForce, seen] = await Promise.all([backupSchedule(store, config), scheduleSeen(store)])
  return { inForce, seen, typed: { every: String(inForce.every ?? NEVER), keep: String(inForce.keep) } }
}

/** When backups are made. What an option of the server says is only shown. */
function ScheduleForm({ draft: { inForce, typed, errors, seen } }: { readonly draft: ScheduleDraft }) {
  const { every, keep, from } = inForce
  const [choosesEvery, choosesKeep] = [from.every !== "option", from.keep !== "option"]
  return (
    <section class="stack" id="schedule">
      <h3>Schedule</h3>
      {!choosesEvery && <Pinned option="backup-every" value={`a backup ${formatInterval(every ?? 0)}`} />}
      {!choosesKeep && <Pinned option="backup-keep" value={`the newest ${formatNumber(keep)} are kept`} />}
      {(choosesEvery || choosesKeep) && (
        <Form action={`${SYSTEM}/backups/schedule`} submit="Save schedule" values={typed} errors={errors}>
          <HiddenInputs values={{ seen }} />
          <div class="parts">
            {choosesEvery && <Select name="every" label="Back up" choices={choicesWith(every)} />}
            {choosesKeep && <Field name="keep" label="Keep the newest" required inputmode="numeric" unit="backups" />}
          </div>
        </Form>
      )}
    </section>
  )
}

const Pinned = ({ option, value }: Readonly<{ option: string; value: string }>) => (
  <p>
    The server was started with <code>--{option}</code>: {value}. This can’t be changed here.
  </p>
)

/** What can be chosen, with an interval of somebody's own while it is in force. */
function choicesWith(every: number | null): readonly Choice[] {
  const isCommon = every === null || COMMON_INTERVALS.some(({ value }) => value === String(every))
  const own = isCommon ? [] : [{ value: String(every), label: `Now: ${formatInterval(every)}` }]
  return [{ value: NEVER, label: "Never" }, ...own, ...COMMON_INTERVALS]
}

/** Saves what was typed; with errors, or after somebody else's change, `show` shows the page again. */
export async function saveSchedule(visit: PersonVisit, show: (draft: ScheduleDraft) => PageAnswer): Promise<Response> {
  const form = await readForm(visit.request)
  const { inForce } = await scheduleDraft(visit)
  const typed = form.texts("every", "keep")
  const seen = form.text("seen")
  const { wanted, errors } = read(typed, inForce)
  if (Object.keys(errors).length > 0) return show({ inForce, typed, errors, seen })
  if ((await changeBackupSchedule(visit.context, wanted, { actor: visit.actor, seen })) === "changed") {
    const changed = "Someone else changed the schedule after you opened it. Yours is shown: save again to keep it."
    return show({ ...(await scheduleDraft(visit)), typed, errors: { "": changed } })
  }
  const text = wanted.every === null ? "Scheduled backups are off." : "The schedule has been saved."
  return goTo(visit, BACKUPS, done(text))
}

/** With one press, as most people want it. */
export async function scheduleDaily(visit: PersonVisit): Promise<Response> {
  const seen = (await readForm(visit.request)).text("seen")
  const outcome = await changeBackupSchedule(visit.context, { every: MICROS_PER_DAY }, { actor: visit.actor, seen })
  const text = outcome === "changed" ? "Someone else has chosen a schedule meanwhile." : "A backup is made every day."
  return goTo(visit, SYSTEM, done(text, `${BACKUPS}#schedule`, "Change"))
}

/** What was chosen. What an option says is not part of the form. */
function read({ every, keep }: ScheduleDraft["typed"], { from, every: before }: ScheduleInForce) {
  const [asksEvery, asksKeep] = [from.every !== "option", from.keep !== "option"]
  const isChoice = choicesWith(before).some(({ value }) => value === every)
  const count = readNumber(keep, { decimals: 0, max: BACKUPS_KEPT_MAX })
  const wrong = count.ok ? count.value < 1 && "Keep at least 1." : count.message
  const unchosen = asksEvery && !isChoice && { every: "Choose how often." }
  const wanted = { ...(asksEvery && { every: readId(every) }), ...(asksKeep && count.ok && { keep: count.value }) }
  return { wanted, errors: { ...unchosen, ...(asksKeep && wrong && { keep: wrong }) } }
}

/** How often something happens: every 24 h. */
function formatInterval(micros: number): string {
  const hours = micros / HOUR
  return hours >= 1 ? `every ${formatNumber(hours)} h` : `every ${formatNumber(hours * 60)} min`
}
