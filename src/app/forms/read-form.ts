import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { maskKeys } from "../../domain/keys/api-key.ts"
import { readBody } from "../../http/body.ts"
import { Refused } from "../../http/problem.ts"

/** What a form holds, by field. The values of several ticked boxes are one text with a line for each. */
export type Texts = Readonly<Record<string, string>>

export const BeganSchema = Type.Object({ texts: Type.Record(Type.String(), Type.String()), version: Type.String() })

export interface SentForm {
  readonly texts: Texts
  readonly files: ReadonlyMap<string, File>
  /** What an edit began with: the texts, and the version of the record behind them. */
  readonly began: typeof BeganSchema.static | undefined
  /** Whether a script only asks for the remarks while a person is typing. */
  readonly isPreview: boolean
}

const FIELDS_MAX = 2_000

/** Reads what a browser sent. `~began` and `~mode` are ours. All other fields belong to the form. */
export async function readForm(request: Request, bytesMax: number): Promise<SentForm> {
  const texts = new Map<string, string>()
  const files = new Map<string, File>()
  const fields = await readFields(request, bytesMax)
  if (fields.length > FIELDS_MAX) throw new Refused("body_too_large", `A form may have at most ${FIELDS_MAX} fields.`)
  for (const [name, value] of fields) {
    // Browsers send an empty file if none was chosen.
    if (value instanceof File) {
      if (value.size > 0 || value.name !== "") files.set(name, value)
      continue
    }
    // People paste keys into any field. Pages, the database and the audit log never see them.
    const text = isSecretField(name) ? value : maskKeys(tidy(value))
    const before = texts.get(name) ?? ""
    texts.set(name, before === "" ? text : `${before}\n${text}`)
  }
  const [began = "", mode] = [texts.get("~began"), texts.get("~mode")]
  for (const name of ["~began", "~mode"]) texts.delete(name)
  return { texts: Object.fromEntries(texts), files, began: readBegan(began), isPreview: mode === "preview" }
}

async function readFields(request: Request, bytesMax: number): Promise<(readonly [string, string | File])[]> {
  const body = await readBody(request, bytesMax)
  const type = request.headers.get("content-type") ?? ""
  if (!type.startsWith("multipart/form-data")) return [...new URLSearchParams(new TextDecoder().decode(body))]
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData()
    return [...form]
  } catch {
    throw new Refused("invalid_request", "The form can’t be read.")
  }
}

/** Fields that are never kept or sent back. Their names say so: "password", "newPassword", "secretAccessKey", "otp". */
export const isSecretField = (name: string): boolean => /password|secret|^otp$/i.test(name)

// Browsers send line breaks as CRLF. If we kept them, every text area would look edited.
const tidy = (text: string) => text.replaceAll("\r\n", "\n").trim()

function readBegan(json: string): SentForm["began"] {
  try {
    const began: unknown = JSON.parse(json)
    return Value.Check(BeganSchema, began) ? began : undefined
  } catch {
    return undefined
  }
}
