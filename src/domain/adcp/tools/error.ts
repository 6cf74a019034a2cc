import { type Problem, pointerToPath } from "../../schema/explain.ts"

const recoveryOf = {
  INVALID_REQUEST: "correctable",
  VERSION_UNSUPPORTED: "correctable",
  PRODUCT_NOT_FOUND: "correctable",
  PROPOSAL_NOT_FOUND: "correctable",
  REFERENCE_NOT_FOUND: "correctable",
  CREDENTIAL_IN_ARGS: "terminal",
  AUTH_INVALID: "terminal",
  RATE_LIMITED: "transient",
  SERVICE_UNAVAILABLE: "transient",
} as const

/** Only codes of the protocol: clients treat unknown ones as temporary and retry forever. */
export type AdcpErrorCode = keyof typeof recoveryOf

export interface AdcpError {
  code: AdcpErrorCode
  message: string
  recovery: "correctable" | "terminal" | "transient"
  field?: string
  issues?: Problem[]
  suggestion?: string
  retry_after?: number
  details?: Record<string, unknown>
}

type Extras = Partial<Pick<AdcpError, "field" | "issues" | "suggestion" | "retry_after" | "details">>

export function adcpError(code: AdcpErrorCode, message: string, extras: Extras = {}): AdcpError {
  return { code, message, recovery: recoveryOf[code], ...extras }
}

// Clients drop an error of 4,096 bytes or more. These limits stay well below.
const ISSUES_MAX = 8
const MESSAGE_CHARACTERS_MAX = 160
const POINTER_CHARACTERS_MAX = 120

/** Invalid arguments, with the problems in the order found. */
export function invalidRequest(problems: readonly Problem[]): AdcpError {
  const shown = problems.slice(0, ISSUES_MAX).map(shorten)
  const first = shown[0] ?? { pointer: "", message: "the arguments are invalid", keyword: "type" }
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  const field = pointerToPath(first.pointer)
  return adcpError("INVALID_REQUEST", `${first.message}${more}.`, {
    ...(field === "" ? {} : { field }),
    issues: shown,
  })
}

function shorten({ pointer, message, keyword }: Problem): Problem {
  return {
    pointer: cut(pointer, POINTER_CHARACTERS_MAX),
    message: cut(message, MESSAGE_CHARACTERS_MAX),
    keyword,
  }
}

/** Cuts between characters, never inside one. */
function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${[...text.slice(0, charactersMax)].slice(0, -1).join("")}…`
}

export function brokenRule(pointer: string, message: string, keyword = "required"): AdcpError {
  return invalidRequest([{ pointer, message, keyword }])
}
