import { hash } from "node:crypto"

/** A short digest of each field as the form showed it. It is sent back with the form, so that a conflicting save is refused. */
export type Revision = string

export function revisionOf(fields: object): Revision {
  const digests = Object.entries(fields).map(([name, value]) => `${name}:${digestOf(value)}`)
  return digests.sort().join(" ")
}

/** Whether the fields have changed since the form showed them. Without a revision nothing is checked. */
export function isStale(seen: Revision | undefined, fields: object): boolean {
  return seen !== undefined && seen !== revisionOf(fields)
}

// Absent and null differ: a null hides a built-in format. Lists of strings are checkboxes, so their order is ignored.
function digestOf(value: unknown): string {
  const plain = Array.isArray(value) && value.every((one) => typeof one === "string") ? [...value].sort() : value
  return hash("sha256", plain === undefined ? "absent" : JSON.stringify(plain), "base64url").slice(0, 10)
}

export type Texts<Form> = { readonly [Name in keyof Form]: string | readonly string[] }

export interface Conflict<Form> {
  /** What the form shows next: the other person's change where this one made none, else what was typed. */
  readonly texts: Form
  /** A sentence for each field that the other person changed. */
  readonly errors: Readonly<Record<string, string>>
}

/** Merges two versions of a form that started as `shown`: what was typed, and what is stored now. */
export function conflictOf<Form extends Texts<Form>>(shown: Revision, mine: Form, theirs: Form): Conflict<Form> {
  const before = new Map(shown.split(" ").map((one) => [one.slice(0, one.lastIndexOf(":")), one]))
  // A field that the form did not have counts as empty.
  const isAsShown = (name: string, text: unknown) =>
    before.has(name) ? before.get(name) === `${name}:${digestOf(text)}` : text === ""
  const texts: Record<string, string | readonly string[]> = { ...mine }
  const errors: Record<string, string> = { "": CHANGED_MEANWHILE }
  for (const [name, text] of Object.entries<string | readonly string[]>(theirs)) {
    const typed = texts[name] ?? ""
    if (isAsShown(name, text) || digestOf(typed) === digestOf(text)) continue
    if (isAsShown(name, typed)) {
      texts[name] = text
      errors[name] = `Someone else changed this to ${quoted(text)}. It is shown here now.`
    } else {
      errors[name] = `Someone else changed this to ${quoted(text)}. Yours is shown here: save again to keep it.`
    }
  }
  return { texts: texts as unknown as Form, errors }
}

const CHANGED_MEANWHILE =
  "Somebody else changed this after you opened it. Look at the marked fields, then save again, or use their version."

const QUOTED_CHARACTERS_MAX = 200

function quoted(text: string | readonly string[]): string {
  const whole = typeof text === "string" ? text : text.join(", ")
  if (whole === "") return "nothing"
  return `“${whole.length > QUOTED_CHARACTERS_MAX ? `${whole.slice(0, QUOTED_CHARACTERS_MAX)}…` : whole}”`
}
