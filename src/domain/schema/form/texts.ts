import { DECIMAL, readNumber, WHOLE, writeNumber } from "../../text/typed-number.ts"
import { isObject } from "../batch.ts"
import type { FormPart, RowShape } from "./part.ts"

/** What the fields of a form hold, by name: the path of each value with dots, such as assets.0.asset_id. */
export type FormTexts = Readonly<Record<string, string | readonly string[]>>

/** Which shape a row has, and which row of what is stored it was. */
export const ROW_SHAPE = "~shape"
export const ROW_FROM = "~from"

type Json = Record<string, unknown>

export const nameIn = (base: string, name: string | number): string => (base === "" ? String(name) : `${base}.${name}`)

export function textsOf(part: FormPart, value: unknown, name = "", required = false): FormTexts {
  switch (part.kind) {
    case "object": {
      const fields = isObject(value) ? value : {}
      return merged(
        part.fields.map((field) => textsOf(field.part, fields[field.name], nameIn(name, field.name), field.required)),
      )
    }
    case "list":
      return merged(asList(value).map((row, at) => textsOfRow(part.shapes, row, nameIn(name, at), String(at))))
    case "choices":
      return { [name]: asList(value).map(String) }
    case "texts":
    case "numbers":
      return { [name]: asList(value).map(textOf).join("\n") }
    case "json":
      return {}
    case "flag":
      // A required one is a box to tick, which sends nothing when it is not ticked.
      return { [name]: required && value !== true ? "" : textOf(value) }
    default:
      return { [name]: textOf(value) }
  }
}

/** The texts of one row. A row of a shape that no form shows has none but its place, so that it is kept. */
function textsOfRow(shapes: readonly RowShape[], row: unknown, name: string, from: string): FormTexts {
  const shape = shapes.find(({ literals }) => hasAll(row, literals))
  const texts = shape === undefined ? {} : textsOf(shape.part, row, name)
  return { [nameIn(name, ROW_FROM)]: from, [nameIn(name, ROW_SHAPE)]: shape?.name ?? "~", ...texts }
}

const textsOfNewRow = (shape: RowShape, name: string): FormTexts => ({
  ...textsOf(shape.part, {}, name),
  [nameIn(name, ROW_FROM)]: "",
  [nameIn(name, ROW_SHAPE)]: shape.name,
})

const hasAll = (row: unknown, literals: Json) =>
  isObject(row) && Object.entries(literals).every(([name, value]) => row[name] === value)

const textOf = (value: unknown): string =>
  typeof value === "number" ? signed(value) : typeof value === "string" || typeof value === "boolean" ? `${value}` : ""

const signed = (value: number) => (value < 0 ? `-${writeNumber(-value)}` : writeNumber(value))

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const merged = (all: readonly FormTexts[]): FormTexts => Object.assign({}, ...all)

/** The value that a form says. What it does not show is kept from what is stored. */
export function readTexts(part: FormPart, texts: FormTexts, stored: unknown) {
  const reader = new TextReader(texts)
  // Numbers that cannot be read are errors by name; in the value they are still text.
  return { value: reader.read(part, "", stored, true), errors: reader.errors }
}

class TextReader {
  readonly errors: Record<string, string> = {}
  readonly #texts: FormTexts

  constructor(texts: FormTexts) {
    this.#texts = texts
  }

  read(part: FormPart, name: string, stored: unknown, required: boolean): unknown {
    const typed = this.#texts[name]
    // Nobody changed it: white space, the order of a list and an empty text stay as they are.
    if (stored !== undefined && isOneField(part) && isSame(typed, textsOf(part, stored, name, required)[name]))
      return stored
    switch (part.kind) {
      case "json":
        return stored
      case "object":
        return this.#object(part, name, stored, required)
      case "list":
        return this.#list(part.shapes, name, Array.isArray(stored) ? stored : undefined, required)
      case "choices":
        return presence(this.#all(name), required)
      case "texts":
        return presence(this.#lines(name), required)
      case "numbers": {
        const numbers = this.#lines(name).map((line) => this.#number(line, part, name))
        return presence(numbers, required)
      }
      case "flag":
        return readFlag(this.#text(name), part.only, required)
      case "number":
        return this.#text(name) === "" ? undefined : this.#number(this.#text(name), part, name)
      default:
        return this.#text(name) === "" ? undefined : this.#text(name)
    }
  }

  #object(part: FormPart & { kind: "object" }, name: string, stored: unknown, required: boolean): unknown {
    const isEmpty = isBlank(this.#texts, name)
    if (!required && isEmpty && isBlank(textsOf(part, stored, name), name)) return stored
    const before = isObject(stored) ? stored : {}
    const names = new Set(part.fields.map((field) => field.name))
    const rest = Object.entries(before).filter(([key]) => !names.has(key))
    const fields = part.fields.map((field): [string, unknown] => [
      field.name,
      this.read(field.part, nameIn(name, field.name), before[field.name], field.required),
    ])
    const given = isEmpty && !required ? [] : fields.filter(([, value]) => value !== undefined)
    const all = [...given, ...rest]
    return all.length === 0 && !required ? undefined : Object.fromEntries(all)
  }

  #list(shapes: readonly RowShape[], name: string, stored: readonly unknown[] | undefined, required: boolean): unknown {
    const rows: unknown[] = []
    for (let at = 0; nameIn(nameIn(name, at), ROW_SHAPE) in this.#texts; at++) {
      const row = nameIn(name, at)
      const from = this.#text(nameIn(row, ROW_FROM))
      const before = from === "" ? undefined : stored?.[Number(from)]
      const shape = shapes.find((candidate) => candidate.name === this.#text(nameIn(row, ROW_SHAPE)))
      if (shape === undefined) rows.push(before)
      else rows.push({ ...shape.literals, ...(this.#object(shape.part, row, without(before, shape), true) as Json) })
    }
    return presence(rows, required || stored?.length === 0)
  }

  #number(typed: string, { whole, signed }: { whole: boolean; signed: boolean }, name: string): number | string {
    const isNegative = signed && /^[-−]/.test(typed)
    const result = readNumber(isNegative ? typed.slice(1) : typed, whole ? WHOLE : DECIMAL)
    if (result.ok) return isNegative ? -result.value : result.value
    this.errors[name] ??= result.message
    return typed
  }

  #all(name: string): readonly string[] {
    return [this.#texts[name] ?? []].flat().filter((value) => value !== "")
  }

  #text(name: string): string {
    return this.#all(name)[0]?.trim() ?? ""
  }

  #lines(name: string): string[] {
    return this.#text(name)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
  }
}

const isBlank = (texts: FormTexts, name: string) =>
  Object.entries(texts).every(([key, text]) => !key.startsWith(`${name}.`) || text.length === 0)

const isOneField = ({ kind }: FormPart) => kind !== "object" && kind !== "list" && kind !== "json"

type Text = string | readonly string[] | undefined

const isSame = (a: Text, b: Text) => asSet(a) === asSet(b)
const asSet = (text: Text) => JSON.stringify([text ?? ""].flat().filter(Boolean).sort())

const presence = (list: readonly unknown[], required: boolean) => (list.length === 0 && !required ? undefined : list)

const without = (row: unknown, { literals }: RowShape): unknown =>
  isObject(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => !(name in literals))) : undefined

function readFlag(text: string, only: boolean, required: boolean): boolean | undefined {
  if (text === "true") return true
  return only || (!required && text === "") ? undefined : false
}

export function rowCount(texts: FormTexts, list: string): number {
  let count = 0
  while (nameIn(nameIn(list, count), ROW_SHAPE) in texts) count++
  return count
}

/** The list at this name, such as assets or assets.2.assets; undefined where the form has none. */
export function listAt(part: FormPart, texts: FormTexts, name: string): readonly RowShape[] | undefined {
  let current: FormPart | undefined = part
  let path = ""
  for (const step of name.split(".")) {
    const list: FormPart | undefined = current
    path = nameIn(path, step)
    if (list?.kind === "object") current = list.fields.find((field) => field.name === step)?.part
    else if (list?.kind === "list") {
      const shape = texts[nameIn(path, ROW_SHAPE)]
      current = list.shapes.find((candidate) => candidate.name === shape)?.part
    } else return undefined
  }
  return current?.kind === "list" ? current.shapes : undefined
}

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
