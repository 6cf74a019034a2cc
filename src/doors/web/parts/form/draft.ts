import { conflictOf, type Revision, type Texts } from "../../../../domain/edit-conflict.ts"
import type { Errors, Form } from "../../form.ts"

/** What an edit began with: digests of the thing as it was stored, and of the texts that the form showed. */
export interface StartedFrom {
  readonly revision: Revision
  readonly shown: Revision
}

/** An edit that is not saved yet. */
export interface Draft<Typed> {
  readonly typed: Typed
  readonly errors?: Errors
  /** Sent with the form, so that saving over somebody else's change is noticed. Missing where something new is made. */
  readonly started?: StartedFrom
  /** After a conflict, the address that shows the other version. */
  readonly theirs?: string
}

/** A form without revision fields was not ours, or is from an older version of ours: it counts as having seen something else. */
export function startedFrom(form: Form): StartedFrom {
  return { revision: form.text("revision"), shown: form.text("shown") }
}

/** What was typed beside what somebody else saved meanwhile. `now` is a fresh edit of what is stored. */
export function conflictDraft<Typed extends Texts<Typed>>(
  { shown }: StartedFrom,
  mine: Typed,
  now: Draft<Typed>,
  theirs: string,
): Draft<Typed> {
  const { texts: typed, errors } = conflictOf(shown, mine, now.typed)
  return { ...now, typed, errors, theirs }
}

/** The same fields, all empty. */
export const emptied = (texts: object): Record<string, string> =>
  Object.fromEntries(Object.keys(texts).map((field) => [field, ""]))
