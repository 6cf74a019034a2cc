import type { Complaint } from "../../../domain/check.ts"
import type { Errors } from "../form.ts"
import { lineOf } from "./json-lines.ts"

export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: Errors }

/** What a text area of JSON holds; a sentence at the field when it is none. */
export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^JSON Parse error: /, "") : "it cannot be read"
    return { ok: false, errors: { json: `This is not JSON: ${reason}.` } }
  }
}

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

interface ComplaintsProps {
  readonly text: string
  readonly complaints: readonly Complaint[]
}

/** Everything that is wrong, each with the line it is on and the place it means. */
export function Complaints({ text, complaints }: ComplaintsProps) {
  if (complaints.length === 0) return null
  return (
    <div class="flash problem" role="alert">
      <p>{complaints.length === 1 ? "One thing is not right:" : `${complaints.length} things are not right:`}</p>
      <ul class="complaints">
        {complaints.map(({ pointer, message }) => (
          <li key={pointer + message}>
            {pointer !== "" && <strong>Line {lineOf(text, pointer)}: </strong>}
            {message}.
          </li>
        ))}
      </ul>
    </div>
  )
}
