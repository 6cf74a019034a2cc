import { conflictOf, type Revision, snakeCase, type Texts } from "../../../../domain/edit-conflict.ts"
import type { Visit } from "../../visit.ts"
import { ButtonLink } from "../button-link.tsx"
import type { Trail } from "../page-head.tsx"
import { headedPage } from "../page-kinds.tsx"
import { bothVersions, inputsOf } from "./chosen.ts"
import { Conflict } from "./conflict.tsx"
import type { StartedFrom } from "./draft.ts"

interface ConflictPage {
  readonly title: string
  readonly active: string
  readonly trail?: Trail
  /** What was edited, such as "this product". */
  readonly what: string
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
export function conflictPage(visit: Visit, conflict: ConflictPage): Response {
  const { title, active, trail = [], what, action, theirsHref, shown, started, labels } = conflict
  const { units, rest } = conflictOf(shown, inputs(conflict.mine), inputs(conflict.theirs), labels)
  const hidden = [...Object.entries({ ...started }), ...inputsOf(rest), ...bothVersions(units)]
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
        <Conflict what={what} units={units} />
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
