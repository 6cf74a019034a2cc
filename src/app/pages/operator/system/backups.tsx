import { backupWork, forgetBackupWork } from "../../../../actions/operations/backups.ts"
import {
  bucketInForce,
  choiceVersion,
  choose,
  type LastRestore,
  scheduleInForce,
  storedSetting,
} from "../../../../actions/settings.ts"
import { hasErrors, messageOf } from "../../../../domain/errors.ts"
import type { StoredCopy } from "../../../../domain/operations/backup.ts"
import { backupTime } from "../../../../domain/operations/backup.ts"
import { type InForce, wholeNumber } from "../../../../domain/operations/setting-kinds.ts"
import { MICROS_PER_DAY, type Moment } from "../../../../domain/time/moment.ts"
import { goTo } from "../../../flash.ts"
import { type Beginning, type FormOf, type FormState, firstState } from "../../../forms/form.ts"
import { page } from "../../../page.tsx"
import { Banner, ButtonLink, Card } from "../../../parts/blocks.tsx"
import { Select } from "../../../parts/choices.tsx"
import { Field, FileField } from "../../../parts/fields.tsx"
import { Form, PostButton } from "../../../parts/form.tsx"
import { formatBytes, formatCount, Time } from "../../../parts/format.tsx"
import { actionsColumn, type Column, Table } from "../../../parts/table.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { BACKUPS, SetByOption, SYSTEM_TRAIL } from "./service.tsx"
import { everyInWords } from "./service-cards.tsx"

export const backupAddress = (name: string): string => `${BACKUPS}/${encodeURIComponent(name)}`

const FACTS: readonly Column<StoredCopy>[] = [
  { title: "Made", cell: ({ name }) => <Time at={backupTime(name)} /> },
  { title: "File", cell: ({ name }) => <code class="wrap">{name}</code>, onPhone: "wide" },
  { title: "Size", cell: ({ bytes }) => formatBytes(bytes), isNumber: true },
]

const FILE_COLUMNS: readonly Column<StoredCopy>[] = [...FACTS, actionsColumn(fileActions)]

function fileActions({ name }: StoredCopy) {
  const address = backupAddress(name)
  return (
    <div class="actions">
      <PostButton action={`${address}/check`} label="Check" about={`Check: ${name}`} kind="quiet" isSmall />
      <ButtonLink href={`${address}/download`} label="Download" about={`Download: ${name}`} kind="quiet" isSmall />
      <ButtonLink href={`${address}/restore`} label="Restore" about={`Restore: ${name}`} kind="quiet" isSmall />
    </div>
  )
}

/** What is in the bucket. A copy is fetched before it's restored. */
function copyList(copies: readonly StoredCopy[] | string, files: readonly StoredCopy[]) {
  if (typeof copies === "string")
    return (
      <Card title="Copies in the bucket">
        <p>The copies can’t be listed: {copies}</p>
      </Card>
    )
  const here = new Set(files.map(({ name }) => name))
  const columns: readonly Column<StoredCopy>[] = [
    ...FACTS,
    actionsColumn(({ name }) =>
      here.has(name) ? (
        <span class="soft">Also on this server</span>
      ) : (
        <PostButton action={`${backupAddress(name)}/fetch`} label="Fetch" about={`Fetch: ${name}`} isSmall />
      ),
    ),
  ]
  return (
    <Card title="Copies in the bucket" count={formatCount(copies.length, "copy", "copies")} isFlush>
      {copies.length === 0 ? (
        <p class="card-foot soft">No backup was copied yet.</p>
      ) : (
        <Table caption="Copies in the bucket" columns={columns} rows={copies} />
      )}
    </Card>
  )
}

interface Backups {
  readonly files: readonly StoredCopy[]
  /** The copies in the bucket, or why they can't be listed. Null without a bucket. */
  readonly copies: readonly StoredCopy[] | string | null
  readonly every: InForce<Moment | null>
  readonly keep: InForce<number>
  readonly restored: LastRestore | null
  readonly version: string
}

async function findBackups({ context, read }: SignedInVisit): Promise<Backups> {
  return {
    files: (await context.services.backups.list()).toReversed(),
    copies: await findCopies(context),
    ...(await scheduleInForce(context)),
    restored: await storedSetting(read, "note.restore"),
    version: await choiceVersion(read, "backups"),
  }
}

async function findCopies(context: SignedInVisit["context"]): Promise<Backups["copies"]> {
  const { value: bucket } = await bucketInForce(context)
  if (bucket === null) return null
  try {
    return (await context.services.bucket(bucket).list()).toReversed()
  } catch (cause) {
    return messageOf(cause)
  }
}

const beginSchedule = (_: SignedInVisit, { every, keep, version }: Backups) => ({
  texts: { every: every.value === null ? "never" : String(every.value), keep: String(keep.value) },
  version,
})

/** The page with all forms about backups. Its own form is the schedule. */
export const backupsForm: FormOf<SignedInVisit, Backups> = {
  find: findBackups,
  begin: beginSchedule,
  view: showBackups,
  async save(visit, { every: before, keep: kept }, { every = "", keep = "" }, version) {
    const count = KEEP.read(keep)
    const isKnown = choicesWith(before.value).some(({ value }) => value === every)
    if (before.from === "option" && kept.from === "option") return { errors: { "": "A server option decides this." } }
    const errors = {
      ...(!isKnown && { every: "Choose how often." }),
      ...(count === null && { keep: "Enter a whole number from 1 to 10000." }),
    }
    if (hasErrors(errors) || count === null) return { errors }
    const schedule = { every: every === "never" ? null : Number(every), keep: count }
    const saved = await choose(visit.context, visit.actor, "backups", schedule, version)
    return saved === "changed" ? saved : goTo(visit, BACKUPS, "The schedule is saved.")
  },
}

const UPLOAD = `${BACKUPS}/upload`

const KEEP = wholeNumber("number", 1, 10_000)
const HOUR = MICROS_PER_DAY / 24
const USUAL = [HOUR, 6 * HOUR, 12 * HOUR, MICROS_PER_DAY, 7 * MICROS_PER_DAY]

/** The usual schedules, and the one in force. */
function choicesWith(every: Moment | null) {
  const all = every === null || USUAL.includes(every) ? USUAL : [...USUAL, every]
  const choices = all.map((each) => ({ value: String(each), label: everyInWords(each) }))
  return [{ value: "never", label: "Never" }, ...choices]
}

function showBackups(visit: SignedInVisit, backups: Backups, form: FormState): Response {
  const { files, copies, restored } = backups
  const work = backupWork(visit.context)
  const isUnderWay = work?.outcome === null
  if (work !== null && !isUnderWay) forgetBackupWork(visit.context)
  return page(visit, {
    title: "Backups",
    trail: SYSTEM_TRAIL,
    intro: "Each backup is one file with everything, for every organization.",
    actions: <PostButton action={`${BACKUPS}/make`} label="Back up now" kind="primary" icon="database" />,
    form,
    hasTimes: true,
    // A page that loads itself again would lose what was typed.
    isUnderWay: isUnderWay && !form.isSent,
    body: (
      <>
        {work !== null && (
          <Banner tone={work.outcome === null ? "info" : work.outcome.isDone ? "good" : "bad"}>
            {work.outcome === null ? `${work.title}. This page shows when it’s done.` : work.outcome.text}
          </Banner>
        )}
        {restored !== null && restoredNote(restored)}
        <Card title="On this server" count={formatCount(files.length, "backup")} isFlush>
          {files.length === 0 ? (
            <p class="card-foot soft">No backups yet.</p>
          ) : (
            <Table caption="Backups" columns={FILE_COLUMNS} rows={files} />
          )}
        </Card>
        <div class="cols">
          <Card title="Schedule">{scheduleForm(backups, beginSchedule(visit, backups))}</Card>
          <Card title="Upload a backup">
            <Form action={UPLOAD} submit="Upload and check" begin={{ texts: {} }} hasFile>
              <FileField
                name="backup"
                label="File"
                hint="It’s checked and added to the list. Nothing is replaced until you restore it."
                accept=".db,.gz"
                required
              />
            </Form>
          </Card>
        </div>
        {copies !== null && copyList(copies, files)}
      </>
    ),
  })
}

const restoredNote = ({ at, name, replaced, problem }: LastRestore) => (
  <Banner tone={problem === null ? "info" : "warn"} isCalm>
    {problem === null ? `${name} was restored on ` : `${name} could not be restored on `}
    <Time at={at} />.{problem !== null && ` ${problem}`}
    {replaced !== null && ` What was there before is kept as ${replaced}. Restore it to undo this.`}
  </Banner>
)

const scheduleForm = ({ every, keep }: Backups, begin: Beginning) => (
  <Form action={BACKUPS} submit="Save schedule" begin={begin}>
    {every.from === "option" && every.value !== null ? (
      <SetByOption value={everyInWords(every.value)} options="--backup-every" />
    ) : (
      <Select name="every" label="Make a backup" choices={choicesWith(every.value)} required />
    )}
    {keep.from === "option" ? (
      <SetByOption value={formatCount(keep.value, "backup")} options="--backup-keep" />
    ) : (
      <Field name="keep" label="Keep" hint="Older ones are deleted." inputmode="numeric" unit="backups" required />
    )}
  </Form>
)

/** The page again, with what is wrong with an uploaded file. */
export async function showUploadProblem(visit: SignedInVisit, problem: string): Promise<Response> {
  const sent = { ...firstState(UPLOAD), isSent: true, errors: { backup: problem } }
  return showBackups(visit, await findBackups(visit), sent)
}
