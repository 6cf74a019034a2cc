import { backupSchedule, changeBackupSchedule, scheduleRevision } from "../../../../actions/operations/backups.ts"
import type { Revision } from "../../../../domain/edit-conflict.ts"
import { BACKUPS_KEPT_MAX, type BackupSchedule, type ScheduleInForce } from "../../../../domain/operations/backup.ts"
import { readNumber } from "../../../../domain/text/typed-number.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND } from "../../../../domain/time/moment.ts"
import { type Errors, readForm } from "../../form.ts"
import { BACKUPS, SYSTEM } from "../../frame/navigation.ts"
import { type Choice, Select } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../../parts/form/form.tsx"
import { formatNumber } from "../../parts/format.tsx"
import { done, goTo } from "../../respond.ts"
import type { Answer } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"

/** The form as it is shown: what is in force, and what was typed. */
export interface ScheduleDraft {
  readonly inForce: ScheduleInForce
  readonly typed: Readonly<{ every: string; keep: string }>
  readonly errors?: Errors
  /** What the edit started from. */
  readonly revision: Revision
}

const NEVER = "never"
const HOUR = 3_600 * MICROS_PER_SECOND
/** How often people make backups. */
export const COMMON_INTERVALS: readonly [number, string][] = [
  [HOUR, "Every hour"],
  [6 * HOUR, "Every 6 hours"],
  [12 * HOUR, "Every 12 hours"],
  [MICROS_PER_DAY, "Every day"],
  [7 * MICROS_PER_DAY, "Every week"],
]

export async function scheduleDraft({ context: { store, config } }: PersonVisit): Promise<ScheduleDraft> {
  const [inForce, revision] = await Promise.all([backupSchedule(store, config), scheduleRevision(store)])
  return { inForce, revision, typed: { every: String(inForce.every ?? NEVER), keep: String(inForce.keep) } }
}

/** When backups are made. What an option of the server says is only shown, with how to change it. */
export function ScheduleForm({ draft: { inForce, typed, errors, revision } }: { readonly draft: ScheduleDraft }) {
  const { every, keep, from } = inForce
  const isPinned = from.every === "option" && from.keep === "option"
  const fields = (
    <div class="parts">
      {from.every === "option" ? (
        <Pinned label="Back up" value={formatInterval(every ?? 0)} option="backup-every" />
      ) : (
        <Select name="every" label="Back up" choices={choicesWith(every)} />
      )}
      {from.keep === "option" ? (
        <Pinned label="Keep" value={`the newest ${formatNumber(keep)}`} option="backup-keep" />
      ) : (
        <Field name="keep" label="Keep the newest" required inputmode="numeric" unit="backups" />
      )}
    </div>
  )
  return (
    <section class="stack">
      <h3>Schedule</h3>
      {isPinned ? (
        fields
      ) : (
        <Form action={`${SYSTEM}/backups/schedule`} submit="Save schedule" values={typed} errors={errors}>
          <HiddenInputs values={{ revision }} />
          {fields}
        </Form>
      )}
    </section>
  )
}

function choicesWith(every: number | null): Choice[] {
  const isCommon = every === null || COMMON_INTERVALS.some(([micros]) => micros === every)
  const own = isCommon ? [] : [{ value: String(every), label: `Now: ${formatInterval(every)}` }]
  const common = COMMON_INTERVALS.map(([micros, label]) => ({ value: String(micros), label }))
  return [{ value: NEVER, label: "Never" }, ...own, ...common]
}

type PinnedProps = Readonly<{ label: string; value: string; option: string }>

function Pinned({ label, value, option }: PinnedProps) {
  return (
    <div class="field">
      <span class="label">{label}</span>
      <p>{value}</p>
      <p class="hint">
        The server was started with <code>--{option}</code> (or its variable in the environment). Without it, this can
        be changed here.
      </p>
    </div>
  )
}

/** Saves what was typed; with errors, or after somebody else's change, `show` shows the page again. */
export async function saveSchedule(
  visit: PersonVisit,
  show: (visit: PersonVisit, draft: ScheduleDraft) => Answer,
): Promise<Response> {
  const form = await readForm(visit.request)
  const { inForce } = await scheduleDraft(visit)
  const typed = form.texts("every", "keep")
  const { wanted, errors } = read(typed, inForce)
  if (wanted === null) return show(visit, { inForce, typed, errors, revision: form.text("revision") })
  const by = { actor: visit.actor, seen: form.text("revision") }
  const outcome = await changeBackupSchedule(visit.context, wanted, by)
  if (outcome === "changed") {
    const { inForce: now, revision } = await scheduleDraft(visit)
    const changed = "Someone else changed the schedule after you opened it. Yours is shown: save again to keep it."
    return show(visit, { inForce: now, typed, errors: { "": changed }, revision })
  }
  return goTo(
    visit,
    BACKUPS,
    done(wanted.every === null ? "No backups are made by schedule now." : "The schedule has been saved."),
  )
}

type Read = Readonly<{ wanted: Partial<BackupSchedule> | null; errors: Errors }>

/** What was chosen. What an option says is not part of the form. */
function read(typed: ScheduleDraft["typed"], { from, every: before }: ScheduleInForce): Read {
  const errors: Record<string, string> = {}
  const offered = [null, before, ...COMMON_INTERVALS.map(([micros]) => micros)]
  const every = offered.find((micros) => String(micros ?? NEVER) === typed.every)
  const keep = readNumber(typed.keep, { decimals: 0, max: BACKUPS_KEPT_MAX })
  if (from.every !== "option" && every === undefined) errors["every"] = "Choose how often."
  if (from.keep !== "option" && !keep.ok) errors["keep"] = keep.message
  if (from.keep !== "option" && keep.ok && keep.value < 1) errors["keep"] = "Keep at least 1."
  if (Object.keys(errors).length > 0) return { wanted: null, errors }
  const chosen: Partial<BackupSchedule> = {
    ...(from.every !== "option" && every !== undefined ? { every } : {}),
    ...(from.keep !== "option" && keep.ok ? { keep: keep.value } : {}),
  }
  return { wanted: chosen, errors }
}

/** How often something happens: every 24 h. */
export function formatInterval(micros: number): string {
  const hours = micros / MICROS_PER_SECOND / 3_600
  return hours >= 1 ? `every ${formatNumber(hours)} h` : `every ${formatNumber(hours * 60)} min`
}
