import type { ComponentChildren } from "preact"
import type { Seen } from "../../../../domain/edit-conflict.ts"
import type { Errors, SentForm } from "../../form.ts"
import { ButtonLink, Submit } from "../blocks.tsx"
import { FormContext, useFormErrors, type Way } from "./frame.tsx"

export interface FormProps {
  readonly action: string
  readonly submit: string
  readonly danger?: boolean
  readonly cancel?: string
  readonly cancelLabel?: string
  /** An edit: its values and errors. */
  readonly draft?: Draft<object>
  readonly values?: object | undefined
  /** The error of the form as a whole has the name "". */
  readonly errors?: Errors | undefined
  readonly instead?: Way | undefined
  readonly multipart?: boolean
  /** A form longer than the window: its buttons stay in sight, and this is said beside them. */
  readonly saveNote?: string
  /** Whether its words follow what is typed: the server is asked for them, with `look`, and saves nothing. */
  readonly live?: boolean
  readonly also?: { readonly name: string; readonly label: string }
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. Its fields take their values and errors from it. */
export function Form({ action, submit, cancel, cancelLabel = "Cancel", saveNote, live = false, ...rest }: FormProps) {
  const { danger, draft, multipart, also, instead, children } = rest
  const { typed: values = {}, errors = {} } = draft ?? { typed: rest.values, errors: rest.errors }
  useFormErrors(errors, instead)
  return (
    <FormContext.Provider value={{ values, errors }}>
      <form
        method="post"
        action={action}
        class="stack"
        {...(live && { "data-look": "" })}
        {...(multipart === true && { enctype: "multipart/form-data" })}
      >
        {draft?.started && <HiddenInputs values={{ ...draft.started }} />}
        {saveNote !== undefined && <EnterSaves />}
        {children}
        <div class={saveNote === undefined ? "actions" : "save"}>
          <Submit kind={danger ? "danger" : "primary"} label={live ? <Live id="save-label">{submit}</Live> : submit} />
          {also !== undefined && <Submit {...also} value="yes" />}
          {cancel !== undefined && <ButtonLink kind="quiet" href={cancel} label={cancelLabel} />}
          {saveNote !== undefined && saveNote !== "" && (
            <span class="hint">{live ? <Live id="save-note">{saveNote}</Live> : saveNote}</span>
          )}
        </div>
      </form>
    </FormContext.Provider>
  )
}

/** Words in a live form that follow what is typed in it. */
export const Live = ({ id, children }: Readonly<{ id: string; children: ComponentChildren }>) => (
  <span id={id} data-live>
    {children}
  </span>
)

/** Enter presses the first button of a form: in a form with buttons beside its fields that must not be "Remove". */
const EnterSaves = () => <button type="submit" class="vh" tabIndex={-1} aria-hidden="true" />

export const HiddenInputs = ({ values }: { readonly values: Readonly<Record<string, string>> }) =>
  Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />)

type SectionProps = Readonly<{ title: string; hint?: ComponentChildren; children: ComponentChildren }>

export const FormSection = ({ title, hint, children }: SectionProps) => (
  <section class="section">
    <div>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
    <div class="stack">{children}</div>
  </section>
)

/** What an edit began with: digests of the thing as it was stored, and of the texts that the form showed. */
export type StartedFrom = Readonly<{ seen: Seen; shown: Seen }>

export interface Draft<Typed> {
  readonly typed: Typed
  readonly errors?: Errors
  /** Sent with the form, so that saving over somebody else's change is noticed. Missing where something new is made. */
  readonly started?: StartedFrom
}

/** A form without these fields was not ours, or is from an older version of ours: it counts as having seen something else. */
export const startedFrom = (form: SentForm): StartedFrom => form.texts("seen", "shown")
