import { isObject } from "../../schema/is-object.ts"
import type { AdcpError } from "./errors.ts"

export const ADCP_VERSION = "3.1"
export const ADCP_MAJOR = 3

export type Arguments = Readonly<Record<string, unknown>>

export interface AdcpAnswer {
  /** "completed", or the code of the error. */
  readonly outcome: string
  readonly payload: Readonly<Record<string, unknown>>
  /** What the text of the result says after the message. */
  readonly lines: readonly string[]
  /** What `get_products` was asked for, for the operator. */
  readonly demand: Demand | null
}

export interface Demand {
  readonly brief: string | null
  readonly channels: readonly string[]
  readonly countries: readonly string[]
  /** Products in the named channels and countries. */
  readonly matched: number
}

interface AnswerExtras {
  readonly lines?: readonly string[]
  readonly demand?: Demand
}

export const completed = (
  message: string,
  fields: Readonly<Record<string, unknown>>,
  args: Arguments,
  { lines = [], demand }: AnswerExtras = {},
): AdcpAnswer => ({
  outcome: "completed",
  payload: { adcp_version: ADCP_VERSION, status: "completed", message, ...fields, ...contextOf(args) },
  lines,
  demand: demand ?? null,
})

/** `required` are fields that the response schema wants even in a failed answer. */
export const failed = ({ body }: AdcpError, args: Arguments, required: object = {}): AdcpAnswer => ({
  outcome: body.code,
  payload: {
    adcp_version: ADCP_VERSION,
    status: "failed",
    message: body.message,
    adcp_error: body,
    errors: [body],
    ...required,
    ...contextOf(args),
  },
  lines: [],
  demand: null,
})

/** The caller's context comes back as it was sent. */
const contextOf = ({ context }: Arguments): object => (isObject(context) ? { context } : {})
