import { channelName } from "../../../domain/adcp/brief/wording.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import type { WhyNothing } from "../../../domain/demand/why-nothing.ts"

/** "audio 30 s" as "Audio, 30 seconds". */
export function formatInWords(format: string): string {
  const [channel = "", seconds] = format.split(" ")
  const name = channelName(channel).replaceAll("_", " ")
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return seconds === undefined ? title : `${title}, ${seconds} seconds`
}

export function whyInWords(found: WhyNothing): string {
  switch (found.why) {
    case "no key":
      return "Asked without a key, which sees no products"
    case "nothing open":
      return "No product is open to this key"
    case "country":
      return `Nothing is open to this key in ${listed(found.countries.map(nameOfCountry), "or")}`
    case "channel":
      return `No product open to this key takes ${listed(
        found.channels.map((one) => channelName(one)),
        "or",
      )}`
    case "words":
      return "No product mentions what the brief asks for"
  }
}

function listed(names: readonly string[], word: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`
}
