import type { Demand } from "../../demand/demand.ts"
import type { Line } from "../json-fragment.ts"
import type { AdcpError } from "./error.ts"
import { ADCP_VERSION, type Arguments } from "./version.ts"

/** The answer of a tool: one flat object. */
export interface Answer {
  readonly isError: boolean
  readonly payload: Record<string, unknown>
  /** What the text of the result says beside the message, line by line. */
  readonly lines?: readonly Line[]
  /** What was asked for and shown, for the operator. */
  readonly demand?: Demand
}

/** The caller's context is echoed, on success and on error. */
function contextOf({ context }: Arguments): { context?: object } {
  return typeof context === "object" && context !== null && !Array.isArray(context) ? { context } : {}
}

export function completed(
  message: string,
  fields: Record<string, unknown>,
  args: Arguments,
  lines: readonly Line[] = [],
): Answer {
  return {
    isError: false,
    lines,
    payload: { adcp_version: ADCP_VERSION, status: "completed", message, ...fields, ...contextOf(args) },
  }
}

/** `required` has fields that the schema of a tool requires even in a failed answer. */
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
