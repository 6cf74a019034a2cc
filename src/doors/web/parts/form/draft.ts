import type { Revision } from "../../../../domain/edit-conflict.ts"
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
}

/** A form without revision fields was not ours, or is from an older version of ours: it counts as having seen something else. */
export function startedFrom(form: Form): StartedFrom {
  return { revision: form.text("revision"), shown: form.text("shown") }
}
