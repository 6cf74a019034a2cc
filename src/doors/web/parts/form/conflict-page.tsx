import { conflictOf, type Revision, snakeCase, type Texts } from "../../../../domain/edit-conflict.ts"
import type { PersonVisit } from "../../visit.ts"
import { ButtonLink } from "../button-link.tsx"
import type { Trail } from "../page-head.tsx"
import { headedPage } from "../page-kinds.tsx"
import { bothVersions, inputsOf } from "./chosen.ts"
import { Conflict } from "./conflict.tsx"
import type { StartedFrom } from "./draft.ts"
import { type ChangeOf, savedBy } from "./saved-by.ts"

interface ConflictPage {
  readonly title: string
  readonly active: string
  readonly trail?: Trail
  /** What was edited, such as "this product". */
  readonly what: string
  /** What the other save may be in the audit trail. */
  readonly changes: readonly ChangeOf[]
  /** Where the form goes. */
  readonly action: string
  /** The form with what is stored now. */
  readonly theirsHref: string
  /** What the form showed that was refused. */
  readonly shown: Revision
  readonly mine: object
  /** What is stored now, as the form would show it. */
  readonly theirs: object
  readonly started: StartedFrom | undefined
  readonly labels: (name: string) => string
}

/** Both versions side by side, of which each field is chosen. Nothing that was typed is lost: it travels with the page. */
export async function conflictPage(visit: PersonVisit, conflict: ConflictPage): Promise<Response> {
  const { title, active, trail = [], what, changes, action, theirsHref, shown, started, labels } = conflict
  const { units, rest } = conflictOf(shown, inputs(conflict.mine), inputs(conflict.theirs), labels)
  const hidden = [...Object.entries({ ...started }), ...inputsOf(rest), ...bothVersions(units)]
  const who = await savedBy(visit, changes)
  return headedPage(visit, {
    // As on every page of a form that was not saved.
    title: `Error: ${title}`,
    heading: title,
    active,
    trail,
    status: 422,
    body: (
      <form method="post" action={action} class="stack">
        {hidden.map(([name, value], at) => (
          <input key={at} type="hidden" name={name} value={value} />
        ))}
        <Conflict who={who} what={what} units={units} />
        <div class="actions">
          <button type="submit" class="button primary">
            Save as chosen
          </button>
          <ButtonLink href={theirsHref} label="Discard my changes" />
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
