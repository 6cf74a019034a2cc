import type { PreviewQuestion } from "../../../../actions/keys/preview-agent-key.ts"
import { jsonObjectOf } from "../../../../domain/text/json-object.ts"
import { readTypedDay } from "../../../../domain/time/typed-day.ts"

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
  const day = readTypedDay(typed("start_date"))
  // What is not a day is sent as it is: the agent says why it is refused.
  const from = day.ok ? day.day : typed("start_date")
  const others = json === "" ? {} : jsonObjectOf(json)
  const filters = {
    ...others,
    ...(countries.length > 0 && { countries: countries.map((code) => code.toUpperCase()) }),
    ...(channels.length > 0 && { channels: channels.map((channel) => channel.toLowerCase()) }),
    ...(from !== "" && { start_date: from }),
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
