import { isFailure } from "../../domain/failure.ts"
import { readBody } from "../http/body/read-body.ts"
import { eventLoopTurn } from "./event-loop-turn.ts"
import { withChosen } from "./parts/form/chosen.ts"

const FORM_BYTES_MAX = 2 * 1024 * 1024

/** Thrown while a form is read; answered with a page. */
export class FormTooLarge extends Error {
  override readonly name = "FormTooLarge"
  readonly most = "2 MiB"
}

/** Thrown when a form did not arrive completely; answered with a page. */
export class FormTooSlow extends Error {
  override readonly name = "FormTooSlow"
}

/** A form that was sent. */
export interface Form {
  /** Without white space at either end; empty when the form has no such field. */
  text(name: string): string
  /** Several at once, by name. */
  texts<Name extends string>(...names: Name[]): Record<Name, string>
  /** As typed, with white space at its ends: for passwords and files. */
  raw(name: string): string
  /** Whether the form had such a field at all. */
  has(name: string): boolean
  all(name: string): string[]
  /** Every text of the form, in its order, as it was typed. */
  entries(): [name: string, value: string][]
  hasFile(): boolean
  /** Null when no file was chosen. */
  file(name: string): File | null
}

/** Errors of a form by field, as whole sentences. */
export type Errors = Readonly<Record<string, string>>

export async function readForm(request: Request, bytesMax = FORM_BYTES_MAX): Promise<Form> {
  const bytes = await readBody(request, { bytesMax })
  if (isFailure(bytes)) throw bytes.code === "body_too_large" ? new FormTooLarge() : new FormTooSlow()
  await eventLoopTurn()
  const headers = { "Content-Type": request.headers.get("content-type") ?? "" }
  const sent = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => new FormData())
  return formOf(withChosen(sent))
}

function formOf(data: FormData): Form {
  const raw = (name: string) => {
    const value = data.get(name)
    // Browsers send the lines of a text area with CRLF; saved like that, an unedited text would have changed.
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : ""
  }
  return {
    raw,
    has: (name) => data.has(name),
    text: (name) => raw(name).trim(),
    texts: <Name extends string>(...names: Name[]) =>
      Object.fromEntries(names.map((name) => [name, raw(name).trim()])) as Record<Name, string>,
    all: (name) => data.getAll(name).filter((value) => typeof value === "string"),
    entries: () =>
      [...new Set(data.keys())].flatMap((name) =>
        data
          .getAll(name)
          .flatMap((value): [string, string][] =>
            typeof value === "string" ? [[name, value.replaceAll("\r\n", "\n")]] : [],
          ),
      ),
    hasFile: () => [...data.values()].some((value: unknown) => value instanceof File && (value.name ?? "") !== ""),
    file(name) {
      const value: unknown = data.get(name)
      // Where no file was chosen, browsers send one without a name; the runtime then leaves out the name.
      return value instanceof File && (value.name ?? "") !== "" ? value : null
    },
  }
}
