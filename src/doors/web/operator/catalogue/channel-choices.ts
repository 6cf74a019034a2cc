import type { ListedFormat } from "../../../../actions/catalogue/list-formats.ts"
import { Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import { capitalized } from "../../../../domain/text/short-text.ts"
import type { Choice } from "../../parts/form/choices.tsx"
import { spoken } from "./words.ts"

// Which formats and metrics go with which channel. The style sheet offers those of the channels that are ticked (`data-sort`).

const [AUDIO, VIDEO, PAGES] = [["audio"], ["video"], ["display", "native"]]

/** The families of formats of the channels that have formats of their own. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  ...{ podcast: AUDIO, radio: AUDIO, streaming_audio: AUDIO },
  ...{ display: PAGES, email: ["newsletter"] },
  ...{ olv: VIDEO, ctv: VIDEO, linear_tv: VIDEO, cinema: VIDEO },
  ...{ dooh: ["dooh"], ooh: ["ooh"], print: ["display", "ooh"] },
}

/** Those of channels that take what others take. */
const BORROWED: Readonly<Record<string, readonly string[]>> = {
  ...{ social: [...VIDEO, ...PAGES], influencer: [...VIDEO, ...PAGES], gaming: [...VIDEO, ...PAGES] },
}

const familiesOf = (channel: string): readonly string[] => FAMILIES[channel] ?? BORROWED[channel] ?? PAGES

const wordsOf = (schema: unknown): readonly string[] => (schema as { enum: string[] }).enum

/** Those with formats of their own first; the others are rare. */
export const CHANNELS: readonly Choice[] = [
  ...Object.keys(FAMILIES),
  ...wordsOf(Channel).filter((channel) => !(channel in FAMILIES)),
].map((value) => ({
  value,
  label: capitalized(spoken(value)),
  sort: familiesOf(value).join(" "),
  isRare: !(value in FAMILIES),
}))

/** By its id or, of a seller's own, by what it is made of: sound or film. Anything else may be taken by every channel. */
function familyOf({ id, format, state }: ListedFormat): string | undefined {
  const medium = ["audio", "video"].find((name) => format.canonical?.kind.startsWith(name))
  return /^(?:newsletter|native|dooh|ooh)(?=_)/.exec(id)?.[0] ?? medium ?? (state === "own" ? undefined : "display")
}

/** The formats of the chosen channels first. */
export function formatChoices(formats: readonly ListedFormat[], channels: FormTexts[string] = []): Choice[] {
  const isWanted = ({ sort }: Choice) => [channels].flat().some((channel) => familiesOf(channel).includes(sort ?? ""))
  const choices = formats.map((format) => {
    const sort = familyOf(format)
    return { value: format.id, label: format.name, ...(sort !== undefined && { sort }) }
  })
  return [...choices.filter(isWanted), ...choices.filter((choice) => !isWanted(choice))]
}

const METRICS_OF: Readonly<Record<string, string>> = {
  audio: "downloads completed_views completion_rate quartile_data",
  video: "views completed_views completion_rate quartile_data viewability clicks ctr grps",
  display: "clicks ctr viewability conversions engagements",
  native: "clicks ctr viewability conversions engagements",
  newsletter: "clicks ctr conversions",
  dooh: "plays dooh_metrics grps",
  ooh: "grps",
}
const OF_EVERY_CHANNEL = ["impressions", "reach", "frequency", "spend"]

/** Those of every channel, then those of some. What a product reports besides is offered where it is kept. */
export const metricChoices = (kept: readonly string[]): Choice[] =>
  [...new Set([...OF_EVERY_CHANNEL, ...Object.values(METRICS_OF).join(" ").split(" "), ...kept])].map((value) => ({
    value,
    label: capitalized(spoken(value)),
    ...metricSort(value),
  }))

function metricSort(metric: string): Pick<Choice, "sort"> {
  const families = Object.keys(METRICS_OF).filter((family) => METRICS_OF[family]?.split(" ").includes(metric))
  return families.length === 0 ? {} : { sort: families.join(" ") }
}
