import type { AdcpError } from "./error.ts"
import { ADCP_VERSION, type Arguments } from "./version.ts"

/** What a tool answers: one flat object, and a sentence about it. */
export interface Answer {
  readonly isError: boolean
  readonly payload: Record<string, unknown>
}

/** The caller's context comes back as it was sent, on success and on error; without one there is none. */
function contextOf({ context }: Arguments): { context?: object } {
  return typeof context === "object" && context !== null && !Array.isArray(context) ? { context } : {}
}

export function completed(message: string, fields: Record<string, unknown>, args: Arguments): Answer {
  return {
    isError: false,
    payload: { adcp_version: ADCP_VERSION, status: "completed", message, ...fields, ...contextOf(args) },
  }
}

/** `required` holds what the schema of a tool wants in every answer, failed ones included. */
export function failed(error: AdcpError, args: Arguments, required: Record<string, unknown> = {}): Answer {
  return {
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
  }
}

export function isAdcpError(value: object): value is AdcpError {
  return "recovery" in value
}
