import type { ConflictUnit, Texts } from "../../../../domain/edit-conflict.ts"

// Both versions of a field travel with the page that asks which one to keep. What was chosen arrives as if it had been typed, so that no
// form has to know about it.

const USE = /^use\.(\d+)$/
const VERSION = /^(mine|theirs|use)\.(\d+)(?:\.([\s\S]*))?/

/** A field of a form that was sent. */
export type Field = readonly [name: string, value: string | File]

/** The hidden fields of both versions. */
export function bothVersions(units: readonly ConflictUnit[]): [name: string, value: string][] {
  return units.flatMap(({ mine, theirs }, at) => [...named(`mine.${at}.`, mine), ...named(`theirs.${at}.`, theirs)])
}

const named = (start: string, texts: Texts) =>
  inputsOf(texts).map(([name, value]): [string, string] => [start + name, value])

/** Texts as the fields of a form, one for each value of a list. */
export function inputsOf(texts: Texts): [name: string, value: string][] {
  return Object.entries(texts).flatMap(([name, text]) => [text].flat().map((one): [string, string] => [name, one]))
}

/** The fields with the versions that were chosen; as they are when nothing had to be chosen. */
export function withChosen(fields: readonly Field[]): readonly Field[] {
  const chosen = new Map<string, string>()
  for (const [name, use] of fields) {
    const [, at] = USE.exec(name) ?? []
    if (at !== undefined) chosen.set(at, use === "theirs" ? "theirs" : "mine")
  }
  if (chosen.size === 0) return fields
  return fields.flatMap(([name, value]): Field[] => {
    const [, version, at = "", field] = VERSION.exec(name) ?? []
    if (version === undefined) return [[name, value]]
    return field !== undefined && chosen.get(at) === version ? [[field, value]] : []
  })
}
