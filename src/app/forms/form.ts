import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { maskKeys } from "../../domain/api-key.ts"
import type { Errors } from "../../domain/errors.ts"
import { readBody } from "../../http/body.ts"
import { Refused } from "../../http/problem.ts"
import type { Page } from "../page.tsx"
import type { Visit } from "../visit.ts"

/** What a form holds, by field. The values of several ticked boxes are one text with a line for each. */
export type Texts = Readonly<Record<string, string>>

export const BeganSchema = Type.Object({ texts: Type.Record(Type.String(), Type.String()), version: Type.String() })

interface SentForm {
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

/** A form as a page shows it: new, with errors, with questions, or after two people edited the same record. */
export interface FormState {
  /** Where it's sent, which tells it from other forms on its page. */
  readonly address: string
  readonly texts: Texts
  /** Whether the button was pressed. False while a person is still typing. */
  readonly isSent: boolean
  /** The field "" is the form as a whole. */
  readonly errors: Errors
  /** What must be confirmed before the form is saved. */
  readonly questions: Errors
  /** Words about what is typed, such as "+8,837 since yesterday". The note "" is shown above the page. */
  readonly notes: Errors
  /** What an edit began with: the texts, and the version of the record behind them. */
  readonly began?: SentForm["began"]
  /** The status of the page, if the form was refused for another reason than its texts. */
  readonly status?: number
}

/** What is wrong, odd or worth knowing about a form. The note "" is about the form as a whole. */
export type Remarks = Partial<Pick<FormState, "errors" | "questions" | "notes" | "status">>

/** What a form shows first. */
export interface Beginning {
  readonly texts: Texts
  readonly version?: string
}

type Shown = Page | Response

export interface FormOf<V extends Visit, Target> {
  /** The record that the address names. Throws `NotFound` if there is none. */
  find(visit: V): Promise<Target>
  /** Without it, all fields are empty at first. An edit has a version. */
  begin?(visit: V, target: Target): Beginning
  /** What the page shows. */
  view(visit: V, target: Target, state: FormState): Shown | Promise<Shown>
  /**
   * Saves and redirects, or returns what is wrong. "changed" means that the record was saved elsewhere since the form
   * began.
   */
  save(
    visit: V,
    target: Target,
    texts: Texts,
    version: string,
    files: SentForm["files"],
  ): Promise<Response | Remarks | "changed">
  /** The most that a form with files may have. */
  readonly bytesMax?: number
  /** What to say while a person is typing. */
  preview?(visit: V, target: Target, texts: Texts): Promise<Remarks>
}

/** A form of the record that `find` returns. */
export const formOf = <V extends Visit, Target>(form: FormOf<V, Target>): FormOf<V, Target> => form

/** A form that shows these texts and hasn't been sent yet. */
export const newState = (texts: Texts = {}): FormState => firstState("", { texts })

/** The form with this address, which hasn't been sent yet. */
export const firstState = (address: string, { texts, version }: Beginning = { texts: {} }): FormState => ({
  address,
  errors: {},
  questions: {},
  notes: {},
  isSent: false,
  texts,
  began: version === undefined ? undefined : { texts, version },
})

const SOMEONE_ELSE = "Someone else saved this while you were editing. Check the fields, then save again."

/**
 * Puts two edits together. A field that only they changed takes their text. A field that both changed keeps yours,
 * and its error quotes theirs. A field that the form didn't send is one that you didn't change.
 */
export function merge(mine: Texts, began: Texts, theirs: Texts): { readonly texts: Texts; readonly errors: Errors } {
  const texts: Record<string, string> = {}
  const errors: Record<string, string> = { "": SOMEONE_ELSE }
  for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [first = "", saved = ""] = [began[name], theirs[name]]
    const yours = mine[name] ?? first
    const isYours = yours !== first
    texts[name] = isYours ? yours : saved
    if (isYours && saved !== first && saved !== yours)
      errors[name] = `Someone else saved ${quoted(saved)}. You typed ${quoted(yours)}.`
  }
  return { texts, errors }
}

const quoted = (text: string) => (text === "" ? "nothing" : `“${text}”`)

const CONFIRM = "confirm."

/** The box that answers the question about a field. It sends the question along, so that it can't answer a different one. */
export const confirmationOf = (name: string): string => CONFIRM + name

/** The questions that were answered, by field. */
export function confirmationsIn(texts: Texts): Texts {
  const boxes = Object.entries(texts).filter(([name]) => name.startsWith(CONFIRM))
  return Object.fromEntries(boxes.map(([name, question]) => [name.slice(CONFIRM.length), question]))
}

/** The fields whose questions are still to be answered. */
export const openQuestions = (form: FormState): string[] => Object.keys(form.questions).filter(isOpenIn(form))

/** The first of them. A page may have hundreds of questions, and each of them asks whether it's this one. */
export const firstOpenQuestion = (form: FormState) => Object.keys(form.questions).find(isOpenIn(form))

const isOpenIn =
  ({ texts, questions }: FormState) =>
  (name: string) =>
    texts[confirmationOf(name)] !== questions[name]
