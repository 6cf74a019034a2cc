import type { ConflictUnit, Texts } from "../../../../domain/edit-conflict.ts"

// Both versions of a field travel with the page that asks which one to keep. What was chosen arrives as if it had been typed, so that no
// form has to know about it.

const USE = /^use\.(\d+)$/

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

/** The form with the versions that were chosen; as it is when nothing had to be chosen. */
export function withChosen(data: FormData): FormData {
  const chosen = [...data].flatMap(([name, use]) => {
    const [, at] = USE.exec(name) ?? []
    return at === undefined ? [] : [`${use === "theirs" ? "theirs" : "mine"}.${at}.`]
  })
  if (chosen.length === 0) return data
  const result = new FormData()
  for (const [name, value] of data) {
    const start = chosen.find((one) => name.startsWith(one))
    if (start !== undefined) result.append(name.slice(start.length), value)
    else if (!/^(?:mine|theirs|use)\.\d/.test(name)) result.append(name, value)
  }
  return result
}
