import type { ConflictUnit, Seen, Text, Texts } from "../../../../domain/edit-conflict.ts"
import { conflictOf, seenOf, snakeCase } from "../../../../domain/edit-conflict.ts"
import type { Change } from "../../../../domain/people/audit.ts"
import { pageNotFound } from "../../error-pages.tsx"
import { bothVersions, type Errors, inputsOf, readForm, type SentForm } from "../../form.ts"
import type { PageAnswer, Route, Router } from "../../guards.ts"
import { withFound } from "../../guards.ts"
import { headedPage } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"
import { isOrganizationVisit, readId } from "../../visit.ts"
import { Banner, ButtonLink, Submit } from "../blocks.tsx"
import type { Trail } from "../page.tsx"
import { BareTable, type Column } from "../table.tsx"
import { type Draft, type StartedFrom, startedFrom } from "./form.tsx"

/** Who saves, and what the form had shown. */
export type SavedBy = Pick<Change, "actor"> & Readonly<{ seen: Seen; shown: Seen }>

/** Where it was saved, the page that follows. */
export type Saved<Typed> =
  | Response
  | { readonly outcome: "changed" | "not found" }
  | { readonly outcome: "refused"; readonly errors: Errors; readonly typed?: Typed }

/** How something is edited in a form. `Found` is what the address names, `Typed` what the form holds of it. */
export interface Editing<Known extends PersonVisit, Found, Typed extends object> {
  find(visit: Known): Promise<Found | null | undefined>
  /** What its form begins with, and what is stored, as a digest. */
  start(found: Found, visit: Known): Started<Typed> | Promise<Started<Typed>>
  page(visit: Known, found: Found, draft: Draft<Typed>): PageAnswer
  read(form: SentForm, found: Found): Typed
  save(visit: Known, found: Found, typed: Typed, by: SavedBy): Promise<Saved<Typed>>
  /** Said where somebody else has saved it meanwhile. */
  conflict(found: Found, visit: Known): ConflictWords
  /** The texts of both versions as they are compared, by the names of their fields: as they are unless given. */
  compared?(mine: Typed, theirs: Typed): { readonly mine: object; readonly theirs: object }
}

type Started<Typed> = Readonly<{ typed: Typed; seen: Seen }>

/** A page with the form, and what answers the form: saved, with errors, or with both versions where two people edited it. */
export function editing<Known extends PersonVisit, Found, Typed extends object>(edit: Editing<Known, Found, Typed>) {
  const compared = edit.compared ?? ((mine: Typed, theirs: Typed) => ({ mine, theirs }))

  async function start(visit: Known, found: Found) {
    const { typed, seen } = await edit.start(found, visit)
    return { typed, started: { seen, shown: seenOf(compared(typed, typed).mine) } }
  }

  const show = async (visit: Known, found: Found) => edit.page(visit, found, await start(visit, found))

  async function save(visit: Known, found: Found): Promise<Response> {
    const form = await readForm(visit.request)
    const typed = edit.read(form, found)
    const started = startedFrom(form)
    if (form.has("look")) return edit.page(visit, found, { typed, started })
    const by = { actor: visit.actor, ...started }
    const saved = await edit.save(visit, found, typed, by)
    if (saved instanceof Response) return saved
    if (saved.outcome === "refused") return edit.page(visit, found, { typed, started, ...saved })
    if (saved.outcome === "not found") return pageNotFound(visit)
    return withFound(edit.find, async (_, now) => {
      const { typed: theirs, started: fresh } = await start(visit, now)
      const versions = { ...compared(typed, theirs), shown: by.shown, started: fresh }
      return conflictPage(visit, edit.conflict(now, visit), versions)
    })(visit)
  }

  return { show, save }
}

/** The form is at `path`, and is sent to the same address. */
export function editingRoutes<Known extends PersonVisit, Found, Typed extends object>(
  router: Router<Known>,
  path: string,
  edit: Editing<Known, Found, Typed>,
): Route[] {
  const { show, save } = editing(edit)
  return [router("GET", path, withFound(edit.find, show)), router("POST", path, withFound(edit.find, save))]
}

interface ConflictWords {
  readonly title: string
  readonly trail?: Trail
  readonly what: string
  /** What the other save may be in the audit trail. */
  readonly changes: readonly ChangeOf[]
  readonly labels?: (name: string) => string
  /** What the texts of one choice say to people, where they are not words already. */
  readonly words?: (texts: Texts) => string | null
}

/** `shown` is what the form showed that was refused. */
type Versions = Readonly<{ mine: object; theirs: object; shown: Seen; started: StartedFrom }>

/** Both versions side by side, of which each field is chosen. Nothing that was typed is lost: it travels with the page. */
async function conflictPage(visit: PersonVisit, conflict: ConflictWords, versions: Versions): Promise<Response> {
  const { title, trail, what, changes, labels = labelled({}), words } = conflict
  const { mine, theirs, shown, started } = versions
  // Where the form with what is stored now is, too.
  const action = visit.url.pathname
  const { units, rest } = conflictOf(shown, inputs(mine), inputs(theirs), labels)
  const hidden = [...Object.entries(started), ...inputsOf(rest), ...bothVersions(units)]
  const who = await savedBy(visit, changes)
  return headedPage(visit, {
    // As on every page of a form that was not saved.
    title: `Error: ${title}`,
    heading: title,
    ...(trail && { trail }),
    status: 422,
    body: (
      <form method="post" action={action} class="stack">
        {hidden.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Conflict who={who} what={what} units={units} words={words} />
        <div class="actions">
          <Submit kind="primary" label={units.length === 0 ? "Save" : "Save as chosen"} />
          <ButtonLink href={action} label="Discard my changes" />
        </div>
      </form>
    ),
  })
}

/** By the names of the fields in the form. */
const inputs = (typed: object): Texts =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [/[.:]/.test(name) ? name : snakeCase(name), text]))

/** Labels by name; several names with the same label are chosen together. */
export const labelled =
  (labels: Readonly<Record<string, string>>) =>
  (name: string): string =>
    labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ")

type Words = ConflictWords["words"] | undefined
type ConflictProps = Readonly<{ who: string; what: string; units: readonly ConflictUnit[]; words?: Words }>

/** Two versions of what two people edited at the same time, to choose from. It stands in a form. */
export function Conflict({ who, what, units, words }: ConflictProps) {
  const rows = units.map((unit, at) => ({ unit, at }))
  const columns = [FIELD, version("Your version", "mine", words), version("Saved version", "theirs", words)]
  return (
    <Banner tone="warn" live>
      <h2>
        {who} saved {what} {who === YOU && "in another window "}after you opened it{who === YOU && " here"}
      </h2>
      <p>{introOf(units.length)}</p>
      {units.length > 0 && (
        <div class="versions">
          <BareTable caption="Both versions" columns={columns} rows={rows} />
        </div>
      )}
    </Banner>
  )
}

function introOf(count: number): string {
  if (count === 0) return "The two don’t conflict. Save to keep both."
  const differ = count === 1 ? "One field differs." : `${count} fields differ.`
  return `${differ} Choose what to keep. All other changes are kept, saved and yours.`
}

type Row = Readonly<{ unit: ConflictUnit; at: number }>

const FIELD: Column<Row> = { title: "Field", value: ({ unit }) => unit.label }

const version = (title: string, whose: "mine" | "theirs", words: Words): Column<Row> => ({
  title,
  cell: ({ unit, at }) => (
    <label class="choice">
      <input
        type="radio"
        name={`use.${at}`}
        value={whose}
        checked={whose === "mine"}
        aria-label={`${unit.label}: ${title}`}
      />
      <span class="wrap">{words?.(unit[whose]) ?? shortened(Object.entries(unit[whose]))}</span>
    </label>
  ),
})

const CHARACTERS_MAX = 300

/** The texts of a unit, one after the other. Hidden ones say nothing to people. */
function shortened(texts: readonly [string, Text][]): string {
  const words = texts.filter(([name]) => !name.includes("~")).flatMap(([, text]) => [text].flat())
  const whole = words.filter((text) => text !== "").join(", ")
  if (whole === "") return "Nothing"
  return whole.length > CHARACTERS_MAX ? `${whole.slice(0, CHARACTERS_MAX)}…` : whole
}

/** A change in the audit trail: its action and subject, such as "edit line" and the line's ID. */
type ChangeOf = readonly [action: string, subject: string]

// Enough to get past other things that have the subject in their details.
const ENTRIES_READ = 20
/** The same person, twice. */
const YOU = "You"
const NOBODY_KNOWN = "Someone else"

/** Who made the latest of these changes, as this reader may know it: operators know everybody, an admin the members of the organization. */
async function savedBy(visit: PersonVisit, changes: readonly ChangeOf[]): Promise<string> {
  // An import can change anything, and is one entry.
  const all = [...changes, ["import file", "catalogue"] as const]
  const entries = await Promise.all(all.map((change) => latest(visit, change)))
  const newest = entries.flatMap((entry) => entry ?? []).toSorted((a, b) => b.id - a.id)[0]
  if (newest === undefined) return NOBODY_KNOWN
  const { actor, action } = newest
  if (actor === visit.actor) return YOU
  if (action === "import file") return "An import"
  return actor.startsWith("user:") ? nameOf(visit, readId(actor.slice("user:".length))) : "Someone on the command line"
}

async function latest({ context }: PersonVisit, [action, subject]: ChangeOf) {
  const page = { before: null, limit: ENTRIES_READ }
  const { entries } = await context.store.audit.list({ action, text: subject }, page)
  return entries.find((entry) => entry.subject === subject)
}

async function nameOf(visit: PersonVisit, userId: number | null): Promise<string> {
  const { store } = visit.context
  const user = userId === null ? null : await store.users.findById(userId)
  if (user === null) return NOBODY_KNOWN
  if (visit.person.isOperator) return user.name
  if (isOrganizationVisit(visit) && (await store.members.find(visit.organization.id, user.id)) !== null)
    return user.name
  return user.isOperator ? "The operator" : NOBODY_KNOWN
}
