import {
  type ConflictUnit,
  conflictOf,
  type Revision,
  snakeCase,
  type Text,
  type Texts,
} from "../../../../domain/edit-conflict.ts"
import { bothVersions, inputsOf } from "../../form.ts"
import type { PersonVisit } from "../../visit.ts"
import { Banner, ButtonLink, Submit } from "../blocks.tsx"
import { headedPage, type Trail } from "../page.tsx"
import { BareTable, type Column } from "../table.tsx"
import type { StartedFrom } from "./form.tsx"

/** What the page is about, and where. */
export interface ConflictPlace {
  readonly title: string
  readonly trail?: Trail
  readonly what: string
  readonly labels?: (name: string) => string
}

interface ConflictPage extends ConflictPlace {
  /** What the form showed that was refused. */
  readonly shown: Revision
  readonly mine: object
  readonly theirs: object
  readonly started: StartedFrom
}

/** Both versions side by side, of which each field is chosen. Nothing that was typed is lost: it travels with the page. */
export function conflictPage(visit: PersonVisit, conflict: ConflictPage): Response {
  const { title, what, shown, started, mine, theirs, labels = labelled({}), ...place } = conflict
  // Where the form with what is stored now is, too.
  const action = visit.url.pathname
  const { units, rest } = conflictOf(shown, inputs(mine), inputs(theirs), labels)
  const hidden = [...Object.entries(started), ...inputsOf(rest), ...bothVersions(units)]
  return headedPage(visit, {
    // As on every page of a form that was not saved.
    title: `Error: ${title}`,
    heading: title,
    ...place,
    status: 422,
    body: (
      <form method="post" action={action} class="stack">
        {hidden.map(([name, value], at) => (
          <input key={at} type="hidden" name={name} value={value} />
        ))}
        <Conflict what={what} units={units} />
        <div class="actions">
          <Submit kind="primary" label="Save as chosen" />
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

type ConflictProps = Readonly<{ what: string; units: readonly ConflictUnit[] }>

/** Two versions of what two people edited at the same time, to choose from. It stands in a form. */
export function Conflict({ what, units }: ConflictProps) {
  const rows = units.map((unit, at) => ({ unit, at }))
  return (
    <Banner tone="warn" live>
      <h2>Someone saved {what} after you opened it</h2>
      <p>{introOf(units.length)}</p>
      {units.length > 0 && (
        <div class="versions">
          <BareTable caption="Both versions" columns={COLUMNS} rows={rows} rowKey={({ at }) => at} />
        </div>
      )}
    </Banner>
  )
}

function introOf(count: number): string {
  if (count === 0) return "Your changes and theirs don’t conflict. Save to keep both."
  const differ = count === 1 ? "You both changed one field." : `You both changed ${count} fields.`
  return `${differ} Choose what to keep. All other changes, theirs and yours, are kept.`
}

type Row = Readonly<{ unit: ConflictUnit; at: number }>

const version = (title: string, whose: "mine" | "theirs"): Column<Row> => ({
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
      <span class="wrap">{shortened(Object.entries(unit[whose]))}</span>
    </label>
  ),
})

const COLUMNS: readonly Column<Row>[] = [
  { title: "Field", value: ({ unit }) => unit.label },
  version("Your version", "mine"),
  version("Saved version", "theirs"),
]

const CHARACTERS_MAX = 300

/** The texts of a unit, one after the other. Hidden ones say nothing to people. */
function shortened(texts: readonly [string, Text][]): string {
  const words = texts.filter(([name]) => !name.includes("~")).flatMap(([, text]) => [text].flat())
  const whole = words.filter((text) => text !== "").join(", ")
  if (whole === "") return "Nothing"
  return whole.length > CHARACTERS_MAX ? `${whole.slice(0, CHARACTERS_MAX)}…` : whole
}
