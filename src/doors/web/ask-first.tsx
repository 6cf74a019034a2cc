import type { ComponentChildren } from "preact"
import type { Errors } from "./form.ts"
import { ButtonLink, Submit } from "./parts/blocks.tsx"
import { TextArea } from "./parts/form/fields.tsx"
import type { Way } from "./parts/form/frame.tsx"
import { confirmPage } from "./parts/page.tsx"
import { type Answer, type Route, type Router, withFound } from "./route.ts"
import type { Visit } from "./visit.ts"

/** What is asked before something that cannot be undone. */
export interface Question {
  /** The page that asks; its form goes there too. */
  readonly href: string
  readonly title: string
  readonly text: ComponentChildren
  readonly submit: string
  /** Where somebody goes who would rather not, if not to the page above. */
  readonly cancel?: string
  /** Who reads the reason that has to be given with it, as a hint. */
  readonly reason?: string | undefined
}

const Reason = ({ reason }: Pick<Question, "reason">) =>
  reason === undefined ? null : <TextArea name="message" label="Reason" hint={reason} rows={2} prose required />

export type Refused = Readonly<{ errors?: Errors; instead?: Way }>

/** The page that asks: once more where the answer was refused. */
export const askPage = (visit: Visit, { href, reason, ...question }: Question, message = "", refused: Refused = {}) =>
  confirmPage(visit, {
    cancel: href.slice(0, href.lastIndexOf("/")),
    ...question,
    action: href,
    values: { message },
    ...refused,
    children: <Reason reason={reason} />,
  })

/** The routes of something that cannot be undone: a page asks, and its form does it. */
export function askFirst<V extends Visit, Found>(
  route: Router<V>,
  path: string,
  find: (visit: V) => Promise<Found | null | undefined>,
  act: (visit: V, target: Found) => Answer,
  questionOf: (visit: V, target: Found) => Question,
  otherwise?: (visit: V) => Answer,
): Route[] {
  const ask = (visit: V, target: Found) => askPage(visit, questionOf(visit, target))
  return [route("GET", path, withFound(find, ask, otherwise)), route("POST", path, withFound(find, act, otherwise))]
}

/** The button on a page: it asks the same in a dialog, or on the page of the link where there are no scripts. */
export function AskButton({ label, question }: Readonly<{ label: string; question: Question }>) {
  const { href, title, submit, text, reason } = question
  const id = `ask-${href.split("/").at(-1)}`
  return [
    <ButtonLink opens={id} href={href} label={label} kind="quiet danger" />,
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <form method="post" action={href}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{text}</p>
        <Reason reason={reason} />
        <div class="actions">
          <button type="submit" class="button" formmethod="dialog" formnovalidate>
            Cancel
          </button>
          <Submit kind="danger" label={submit} />
        </div>
      </form>
    </dialog>,
  ]
}
