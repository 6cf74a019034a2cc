import { hash } from "node:crypto"

/** A short digest of each field as the form showed it. It is sent back with the form, so that a conflicting save is refused. */
export type Seen = string

export function seenOf(fields: object): Seen {
  const digests = Object.entries(fields).map(([name, value]) => `${name}:${digestOf(value)}`)
  return digests.sort().join(" ")
}

/** Whether the fields have changed since the form showed them. Where nothing was seen nothing is checked. */
export const isStale = (seen: Seen | undefined, fields: object): boolean =>
  seen !== undefined && seen !== seenOf(fields)

// Absent and null differ: a null hides a built-in format. Lists of strings are checkboxes, so their order is ignored, and a form sends
// a list of one as a text.
function digestOf(value: unknown): string {
  const isWords = Array.isArray(value) && value.every((entry) => typeof entry === "string")
  const plain = isWords ? (value.length > 1 ? [...value].sort() : (value[0] ?? "")) : value
  return hash("sha256", plain === undefined ? "absent" : JSON.stringify(plain), "base64url").slice(0, 10)
}

export type Text = string | readonly string[]
export type Texts = Readonly<Record<string, Text>>

/** Fields that belong together, which two people changed in different ways. */
export type ConflictUnit = Readonly<{ label: string; mine: Texts; theirs: Texts }>

/**
 * Two versions of a form that started as `shown`: what was typed, and what is stored now. Fields with the same label are one unit, such as
 * an amount and its currency, or the rows of a list.
 */
export function conflictOf(shown: Seen, mine: Texts, theirs: Texts, labelOf: (name: string) => string) {
  const before = new Map(shown.split(" ").map((entry) => [entry.slice(0, entry.lastIndexOf(":")), entry]))
  const isAsShown = (name: string, text: Text) => {
    const key = before.has(name) ? name : camelCase(name)
    // A field that the form did not have counts as empty.
    return before.has(key) ? before.get(key) === `${key}:${digestOf(text)}` : text.length === 0
  }
  const namesByLabel = Map.groupBy(new Set([...Object.keys(mine), ...Object.keys(theirs)]), labelOf)
  const units: ConflictUnit[] = []
  const rest: Record<string, Text> = {}
  for (const [label, names] of namesByLabel) {
    const differs = (name: string) => digestOf(mine[name] ?? "") !== digestOf(theirs[name] ?? "")
    const changed = (texts: Texts) => names.some((name) => !isAsShown(name, texts[name] ?? ""))
    const isTheirs = names.some(differs) && changed(theirs)
    if (isTheirs && changed(mine)) units.push({ label, mine: pick(mine, names), theirs: pick(theirs, names) })
    else Object.assign(rest, pick(isTheirs ? theirs : mine, names))
  }
  // The rest needs no question: of each field, the version of the person who changed it.
  return { units, rest }
}

const pick = (texts: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(names.flatMap((name) => (texts[name] === undefined ? [] : [[name, texts[name]]])))

/** Actions name a field `timeZone`, forms name it `time_zone`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
