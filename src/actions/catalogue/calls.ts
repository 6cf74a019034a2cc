import { loggedArguments, maskText } from "../../domain/adcp/arguments.ts"
import { cutText } from "../../domain/adcp/text.ts"
import type { Demand } from "../../domain/adcp/tools/answer.ts"
import { maskKeys } from "../../domain/api-key.ts"
import { isObject } from "../../domain/schema/explain.ts"
import type { Context } from "../context.ts"

interface AnsweredCall {
  readonly buyerKeyId: string | null
  readonly address: string
  readonly method: string
  readonly params: unknown
  readonly outcome: string
  readonly durationMicros: number
  readonly demand: Demand | null
}

const NAME_CHARACTERS_MAX = 100
const BRIEF_CHARACTERS_MAX = 240

/**
 * Logs the caller, the tool and the outcome. It never logs the key, the context, or arguments that contain a
 * credential.
 */
export function logCall({ database, clock }: Context, call: AnsweredCall): void {
  const { buyerKeyId, address, method, outcome, durationMicros, demand } = call
  const { name, arguments: args } = method === "tools/call" && isObject(call.params) ? call.params : {}
  const isKept = outcome !== "CREDENTIAL_IN_ARGS" && (buyerKeyId !== null || !isProtocolError(outcome))
  const logged = isKept ? loggedArguments(args, buyerKeyId !== null) : null
  const isWithheld = logged === null && args !== undefined
  const asked = isWithheld || demand === null ? NOT_ASKED : demandColumns(demand)
  database.later.add("agentCall", {
    at: clock(),
    buyerKeyId,
    address: buyerKeyId === null ? address : null,
    method: shortName(method),
    tool: typeof name === "string" ? shortName(name) : null,
    arguments: logged,
    outcome,
    durationMicros,
    ...asked,
  })
}

/**
 * Whether the request broke the protocol. Its arguments are only kept for a caller with a key, or strangers could fill
 * the log.
 */
const isProtocolError = (outcome: string): boolean => /^-\d+$/.test(outcome)

const NOT_ASKED = { brief: null, channels: null, countries: null, matched: null }

const demandColumns = ({ brief, channels, countries, matched }: Demand) => ({
  brief:
    brief === null ? null : cutText(maskText(brief.slice(0, 800)).replace(/\s+/g, " ").trim(), BRIEF_CHARACTERS_MAX),
  channels,
  countries,
  matched,
})

const shortName = (name: string): string => maskKeys(name).slice(0, NAME_CHARACTERS_MAX).toWellFormed()
