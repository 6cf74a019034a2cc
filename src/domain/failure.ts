import { type Static, Type } from "@sinclair/typebox"
import { literals } from "./schema/schema-helpers.ts"

/** A request that is refused as a whole. The door turns it into a response; nothing is thrown. */
export interface Failure {
  readonly code: FailureCode
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly headers: Readonly<Record<string, string>>
}

const KINDS = {
  invalid_json: [400, "The body is not valid JSON"],
  invalid_request: [400, "Invalid request"],
  unauthorized: [401, "A valid API key is required"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  body_timeout: [408, "The body took too long"],
  length_required: [411, "The length of the body is required"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The content type is not supported"],
  unreadable_file: [422, "The file cannot be read"],
  rate_limited: [429, "Too many requests"],
  internal_error: [500, "Internal error"],
  unavailable: [503, "Not ready"],
} as const satisfies Record<string, readonly [number, string]>

export type FailureCode = keyof typeof KINDS
const CODES = Object.keys(KINDS) as FailureCode[]

export function failure(code: FailureCode, detail: string, headers: Failure["headers"] = {}): Failure {
  const [status, title] = KINDS[code]
  return { code, status, title, detail, headers }
}

export const isFailure = (value: object): value is Failure => "code" in value && "detail" in value

export const statusOf = (code: FailureCode): number => KINDS[code][0]

const REALM = 'Bearer realm="adbooth"'

export function keyMissing(): Failure {
  const detail = "Send the header Authorization: Bearer <API_KEY>."
  return failure("unauthorized", detail, { "WWW-Authenticate": REALM })
}

/** Wrong, revoked, malformed and of the other kind get the same answer, which tells a stranger nothing about our keys. */
export function keyRefused(): Failure {
  const detail = "This API key is not valid here. Check it, or create a new one."
  return failure("unauthorized", detail, { "WWW-Authenticate": `${REALM}, error="invalid_token"` })
}

export function rateLimited(retryAfterSeconds: number): Failure {
  const detail = `Too many requests. Wait ${retryAfterSeconds} s, then send this request again.`
  return failure("rate_limited", detail, { "Retry-After": String(retryAfterSeconds) })
}

export const bodyTooLarge = (bytesMax: number): Failure =>
  failure("body_too_large", `The body may have at most ${bytesMax} bytes. Send it in smaller parts.`)

export const methodNotAllowed = (allow: string): Failure =>
  failure("method_not_allowed", `This address only accepts ${allow}.`, { Allow: allow })

export function overloaded(): Failure {
  const detail = "Too much is going on at once. Wait a second, then send this request again."
  return failure("unavailable", detail, { "Retry-After": "1" })
}

/** The body of a failed request: RFC 9457 problem details. */
export const Problem = Type.Object({
  type: Type.String({
    pattern: "^urn:adbooth:problem:[a-z_]+$",
    description: "Names the kind of problem; the same for every case of it.",
  }),
  title: Type.String({ description: "The kind of problem in a few words." }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status, repeated." }),
  detail: Type.String({ description: "What to do about this case." }),
  code: literals(CODES, "The kind of problem for programs."),
  request_id: Type.String({ description: "The response's X-Request-Id. Quote it when you ask for help." }),
})
export type Problem = Static<typeof Problem>

export function problemOf(failed: Failure, requestId: string): Problem {
  const { code, status, title, detail } = failed
  return { type: `urn:adbooth:problem:${code}`, title, status, detail, code, request_id: requestId }
}
