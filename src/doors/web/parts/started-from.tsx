import type { Revision } from "../../../domain/revision.ts"
import type { Form } from "../form.ts"

/** What an edit began with: the thing as it was stored, and the texts that the form showed of it. */
export interface StartedFrom {
  readonly revision: Revision
  readonly shown: Revision
}

/** Two hidden fields with which saving over somebody else's change is noticed, and both versions can be told apart. */
export function StartedFromFields({ revision, shown }: StartedFrom) {
  return (
    <>
      <input type="hidden" name="revision" value={revision} />
      <input type="hidden" name="shown" value={shown} />
    </>
  )
}

/** A form without them was not ours, or of an older version of ours: it counts as one that saw something else. */
export function startedFrom(form: Form): StartedFrom {
  return { revision: form.text("revision"), shown: form.text("shown") }
}
