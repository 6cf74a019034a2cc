import type { FormPart, RowShape } from "./part.ts"
import { type FormTexts, nameIn, ROW_SHAPE, textsOfNewRow } from "./texts.ts"

/** How many rows a list has in the texts of a form. */
export function rowCount(texts: FormTexts, list: string): number {
  let count = 0
  while (nameIn(nameIn(list, count), ROW_SHAPE) in texts) count++
  return count
}

/** The list at this name, such as assets or assets.2.assets; undefined where the form has none. */
export function listAt(part: FormPart, texts: FormTexts, name: string): readonly RowShape[] | undefined {
  let found: FormPart | undefined = part
  let path = ""
  for (const step of name.split(".")) {
    const known: FormPart | undefined = found
    path = nameIn(path, step)
    if (known?.kind === "object") found = known.fields.find((field) => field.name === step)?.part
    else if (known?.kind === "list") {
      const shape = texts[nameIn(path, ROW_SHAPE)]
      found = known.shapes.find((one) => one.name === shape)?.part
    } else return undefined
  }
  return found?.kind === "list" ? found.shapes : undefined
}

/** The texts with one more row of this shape at the end of a list. */
export function withRow(texts: FormTexts, list: string, shape: RowShape): FormTexts {
  return { ...texts, ...textsOfNewRow(shape, nameIn(list, rowCount(texts, list))) }
}

/** The texts without one row, such as assets.2; the rows after it move up. */
export function withoutRow(texts: FormTexts, removed: string): FormTexts {
  const [, list = "", at] = /^(.+)\.(\d+)$/.exec(removed) ?? []
  const start = `${list}.`
  const gone = Number(at)
  const moved = Object.entries(texts).flatMap(([name, text]): [string, string | readonly string[]][] => {
    if (!name.startsWith(start)) return [[name, text]]
    const [row = "", ...rest] = name.slice(start.length).split(".")
    if (Number(row) === gone) return []
    return [[[list, Number(row) > gone ? Number(row) - 1 : row, ...rest].join("."), text]]
  })
  return Object.fromEntries(moved)
}
