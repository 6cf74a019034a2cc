import type { PreviewQuestion } from "../../../../actions/keys/preview-agent-key.ts"
import { jsonObjectOf } from "../../../../domain/text/json-object.ts"

/** What was typed into the fields of the page, as the agent would be asked. */
export interface TypedQuestion {
  readonly question: PreviewQuestion
  /** Why the filters that were typed as JSON cannot be read. */
  readonly error?: string
  readonly isEmpty: boolean
}

export function typedQuestion({ searchParams: query }: URL): TypedQuestion {
  const typed = (name: string) => (query.get(name) ?? "").trim()
  const words = (name: string) =>
    typed(name)
      .split(/[\s,;]+/)
      .filter(Boolean)
  const [countries, channels] = [words("countries"), words("channels")]
  const json = typed("filters")
  const others = json === "" ? {} : jsonObjectOf(json)
  const filters = {
    ...others,
    ...(countries.length > 0 && { countries: countries.map((code) => code.toUpperCase()) }),
    ...(channels.length > 0 && { channels: channels.map((channel) => channel.toLowerCase()) }),
    ...(typed("start_date") !== "" && { start_date: typed("start_date") }),
  }
  const question = {
    brief: typed("brief") || undefined,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    text: typed("text"),
  }
  return {
    question,
    ...(others === undefined && {
      error: 'Other filters must be a JSON object, such as {"delivery_type": "guaranteed"}.',
    }),
    isEmpty: ["brief", "countries", "channels", "start_date", "filters", "text"].every((name) => typed(name) === ""),
  }
}
