import type { ConflictUnit, Texts } from "../../domain/edit-conflict.ts"
import { type Failure, isFailure } from "../../domain/failure.ts"
import { FORM_FIELDS_MAX } from "../../domain/limits.ts"
import { readBody } from "../http/read-body.ts"
import { metaOf } from "../http/request-meta.ts"
import { formatNumber } from "./parts/format.tsx"

const FORM_BYTES_MAX = 2 * 1024 * 1024

export type FormProblem = "too large" | "unreadable" | "without length" | "too slow" | "busy"

/** Thrown while a form is read; answered with a page. */
export class FormRefused extends Error {
  override readonly name = "FormRefused"
  readonly why: FormProblem
  /** What is said about it first. */
  readonly first: string

  constructor(why: FormProblem, { first = "", cause }: { first?: string; cause?: unknown } = {}) {
    super(`a form was refused: ${why}`, { cause })
    this.why = why
    this.first = first
  }
}

const tooLarge = (most: string) => new FormRefused("too large", { first: `The limit is ${most}.` })

export function formRefused({ code, detail }: Failure, bytesMax = FORM_BYTES_MAX): FormRefused {
  if (code === "body_too_large") return tooLarge(`${formatNumber(bytesMax / 1024)} KiB`)
  if (code === "invalid_request") return new FormRefused("unreadable", { first: detail })
  if (code === "length_required") return new FormRefused("without length", { first: detail })
  return new FormRefused(code === "unavailable" ? "busy" : "too slow")
}

export type SentForm = ReturnType<typeof formOf>

/** Errors of a form by field, as whole sentences. */
export type Errors = Readonly<Record<string, string>>

export async function readForm(request: Request, bytesMax = FORM_BYTES_MAX): Promise<SentForm> {
  const bytes = await readBody(request, bytesMax)
  if (isFailure(bytes)) throw formRefused(bytes, bytesMax)
  await metaOf(request).turn()
  return formOf(withChosen(await fieldsOf(request.headers.get("content-type") ?? "", bytes)))
}

/** The fields in their order. They are counted before they are taken apart: that is what would take long. */
async function fieldsOf(type: string, bytes: Uint8Array): Promise<Field[]> {
  if (bytes.length === 0) return []
  const isMultipart = /^multipart\/form-data/i.test(type)
  // Parts have a mark before each and one at the end, other forms only marks between.
  const tooMany = isMultipart
    ? occurs(FORM_FIELDS_MAX + 2, `--${boundaryOf(type)}`, bytes)
    : occurs(FORM_FIELDS_MAX, "&", bytes)
  if (tooMany) throw tooLarge(`${formatNumber(FORM_FIELDS_MAX)} fields`)
  const body = new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } })
  const data = await body.formData().catch((cause: unknown) => {
    throw new FormRefused("unreadable", { cause })
  })
  return [...data]
}

function boundaryOf(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new FormRefused("unreadable")
  return boundary
}

/** Whether there are so many of a mark. */
function occurs(times: number, mark: string, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = text.indexOf(mark)
  for (let count = 1; count < times && at >= 0; count += 1) at = text.indexOf(mark, at + mark.length)
  return at >= 0
}

function formOf(fields: readonly Field[]) {
  const byName = Map.groupBy(fields, ([name]) => name)
  const values = (name: string) => (byName.get(name) ?? []).map(([, value]) => value)
  const raw = (name: string) => {
    const value = byName.get(name)?.[0]?.[1]
    // Browsers send the lines of a text area with CRLF; saved like that, an unedited text would have changed.
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : ""
  }
  return {
    /** As typed, with white space at its ends: for passwords and files. */
    raw,
    has: (name: string) => byName.has(name),
    /** Without white space at either end; empty when the form has no such field. */
    text: (name: string) => raw(name).trim(),
    texts: <Name extends string>(...names: Name[]) =>
      Object.fromEntries(names.map((name) => [name, raw(name).trim()])) as Record<Name, string>,
    all: (name: string) => values(name).filter((value) => typeof value === "string"),
    /** Every text of the form, in its order, as it was typed. */
    entries: () =>
      fields.flatMap(([name, value]): [string, string][] =>
        typeof value === "string" ? [[name, value.replaceAll("\r\n", "\n")]] : [],
      ),
    hasFile: () => fields.some(([, value]) => isChosen(value)),
    /** Null when no file was chosen. */
    file(name: string): File | null {
      const value = byName.get(name)?.[0]?.[1]
      return isChosen(value) ? value : null
    },
  }
}

// Where no file was chosen, browsers send one without a name; the runtime then leaves out the name.
const isChosen = (value: unknown): value is File => value instanceof File && (value.name ?? "") !== ""

// Both versions of a field travel with the page that asks which one to keep. What was chosen arrives as if it had been typed, so that no
// form has to know about it.

const USE = /^use\.(\d+)$/
const VERSION = /^(mine|theirs|use)\.(\d+)(?:\.([\s\S]*))?/

type Field = readonly [name: string, value: string | File]

/** The hidden fields of both versions. */
export const bothVersions = (units: readonly ConflictUnit[]): [name: string, value: string][] =>
  units.flatMap(({ mine, theirs }, at) => [...named(`mine.${at}.`, mine), ...named(`theirs.${at}.`, theirs)])

const named = (start: string, texts: Texts) =>
  inputsOf(texts).map(([name, value]): [string, string] => [start + name, value])

/** Texts as the fields of a form, one for each value of a list. */
export const inputsOf = (texts: Texts): [name: string, value: string][] =>
  Object.entries(texts).flatMap(([name, text]) => [text].flat().map((value): [string, string] => [name, value]))

/** The fields with the versions that were chosen; as they are when nothing had to be chosen. */
function withChosen(fields: readonly Field[]): readonly Field[] {
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
