import type { Demand } from "../../demand/demand.ts"
import { withoutKey } from "../../keys/api-key.ts"
import { isObject } from "../../schema/batch.ts"
import { type Problem, pointerToPath } from "../../schema/explain.ts"
import { cutText } from "../../text/short-text.ts"

const recoveryOf = {
  INVALID_REQUEST: "correctable",
  VERSION_UNSUPPORTED: "correctable",
  PRODUCT_NOT_FOUND: "correctable",
  PROPOSAL_NOT_FOUND: "correctable",
  REFERENCE_NOT_FOUND: "correctable",
  MEDIA_BUY_NOT_FOUND: "correctable",
  ACCOUNT_NOT_FOUND: "terminal",
  UNSUPPORTED_GRANULARITY: "correctable",
  AUTH_MISSING: "correctable",
  PERMISSION_DENIED: "correctable",
  CREDENTIAL_IN_ARGS: "terminal",
  AUTH_INVALID: "terminal",
  RATE_LIMITED: "transient",
  SERVICE_UNAVAILABLE: "transient",
} as const

/** Only codes of the protocol: clients treat unknown ones as temporary and retry forever. */
type AdcpErrorCode = keyof typeof recoveryOf

interface Extras {
  field?: string
  issues?: Problem[]
  suggestion?: string
  retry_after?: number
  details?: Record<string, unknown>
}

export interface AdcpError extends Extras {
  code: AdcpErrorCode
  message: string
  recovery: (typeof recoveryOf)[AdcpErrorCode]
}

export function adcpError(code: AdcpErrorCode, message: string, extras: Extras = {}): AdcpError {
  return { code, message, recovery: recoveryOf[code], ...extras }
}

// Clients drop an error of 4,096 bytes or more. These limits stay well below.
const ISSUES_MAX = 6
// One that names every channel fits.
const MESSAGE_CHARACTERS_MAX = 250
const POINTER_CHARACTERS_MAX = 120

export function invalidRequest(problems: readonly Problem[]): AdcpError {
  const listed = problems.slice(0, ISSUES_MAX).map(shorten)
  const first = listed[0] ?? { pointer: "", message: "the arguments are invalid", keyword: "type" }
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  const field = pointerToPath(first.pointer)
  return adcpError("INVALID_REQUEST", `${first.message}${more}.`, {
    ...(field === "" ? {} : { field }),
    issues: listed,
  })
}

const shorten = ({ pointer, message, keyword }: Problem): Problem => ({
  pointer: cutText(pointer, POINTER_CHARACTERS_MAX),
  message: cutText(message, MESSAGE_CHARACTERS_MAX),
  keyword,
})

const NAMES_MAX = 10
const NAME_CHARACTERS_MAX = 60

/** The first of some names that a caller sent, and how many more there are. */
export function namesText(names: readonly string[]): string {
  const first = names.slice(0, NAMES_MAX).map((name) => cutText(withoutKey(name), NAME_CHARACTERS_MAX))
  return `${first.join(", ")}${names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ""}`
}

export const brokenRule = (pointer: string, message: string, keyword = "required"): AdcpError =>
  invalidRequest([{ pointer, message, keyword }])

export const ADCP_VERSION = "3.1"
export const ADCP_MAJOR = 3

export type Arguments = Record<string, unknown>

export interface AdcpAnswer {
  readonly isError: boolean
  readonly payload: Record<string, unknown>
  /** What the text of the result says beside the message, line by line. */
  readonly lines?: readonly string[]
  /** What was asked for and shown, for the operator. */
  readonly demand?: Demand
}

/** The caller's context is echoed, on success and on error. */
const contextOf = ({ context }: Arguments): { context?: object } => (isObject(context) ? { context } : {})

export const completed = (
  message: string,
  fields: Record<string, unknown>,
  args: Arguments,
  lines: readonly string[] = [],
): AdcpAnswer => ({
  isError: false,
  lines,
  payload: { adcp_version: ADCP_VERSION, status: "completed", message, ...fields, ...contextOf(args) },
})

/** `required` has fields that the schema of a tool requires even in a failed answer. */
export const failed = (error: AdcpError, args: Arguments, required: Record<string, unknown> = {}): AdcpAnswer => ({
  isError: true,
  payload: {
    adcp_version: ADCP_VERSION,
    status: "failed",
    message: error.message,
    adcp_error: error,
    errors: [error],
    ...required,
    ...contextOf(args),
  },
})

export const isAdcpError = (value: object): value is AdcpError => "recovery" in value
