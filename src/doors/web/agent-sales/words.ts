import { channelName } from "../../../domain/adcp/brief/words/channels.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import type { LoggedCall } from "../../../storage/port/store.ts"
import { listInWords } from "../parts/format.tsx"

/** "audio 30 s" as "Audio, 30 seconds". */
export function formatInWords(format: string): string {
  const [channel = "", seconds] = format.split(" ")
  const title = capitalized(channelInWords(channel))
  return seconds === undefined ? title : `${title}, ${seconds} seconds`
}

export const channelInWords = (channel: string): string => channelName(channel).replaceAll("_", " ")

const NAMES_MAX = 4

export function countriesInWords(codes: readonly string[], word: "and" | "or" = "and"): string {
  if (codes.includes(EVERYWHERE)) return "every country"
  return listInWords(codes.map(nameOfCountry), NAMES_MAX, word)
}

/** Countries by their codes, where there is little room. */
export const shortCountries = (codes: readonly string[]): string =>
  codes.includes(EVERYWHERE) ? "everywhere" : listInWords(codes, 3)

export const callerOf = ({ agentKey, agentKeyId }: LoggedCall): string =>
  agentKeyId === null ? "Without a key" : (agentKey ?? agentKeyId)

const REFUSALS: Readonly<Record<string, string>> = {
  INVALID_REQUEST: "The request was not valid",
  VERSION_UNSUPPORTED: "Another version of AdCP",
  PRODUCT_NOT_FOUND: "It named an unknown product",
  PROPOSAL_NOT_FOUND: "It named an unknown proposal",
  REFERENCE_NOT_FOUND: "It named something unknown",
  CREDENTIAL_IN_ARGS: "It had a password or key in it",
  SERVICE_UNAVAILABLE: "Something went wrong here",
}

export const refusalInWords = (outcome: string): string => REFUSALS[outcome] ?? "The message could not be read"

const OTHER_CALLS: Readonly<Record<string, string>> = {
  get_adcp_capabilities: "What can you do?",
  list_creative_formats: "Which formats do you take?",
  initialize: "Hello",
  "tools/list": "Which tools do you have?",
}

/** What a call asked, as a person would say it; undefined where we have no words for it. */
export const questionOf = ({ tool, method }: LoggedCall): string | undefined => OTHER_CALLS[tool ?? method]
