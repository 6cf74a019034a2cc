import { languages, words } from "./languages.ts"

/** Channels with the names that mean nothing else, of all languages. */
export const channelRows = languages.flatMap((language) =>
  words[language].channels.split("\n").map((row) => {
    const [channels = "", names = ""] = row.trim().split(": ")
    return [channels.split(" "), names] as const
  }),
)

const names = new Map(
  "ctv: connected TV, linear_tv: linear TV, olv: online video, dooh: digital out-of-home, ooh: out-of-home, email: email newsletter, social: social media, sponsored_intelligence: sponsored AI answers"
    .split(", ")
    .map((pair) => pair.split(": ") as [string, string]),
)

/** As people call it, in English. */
export const channelName = (channel: string): string => names.get(channel) ?? channel.replaceAll("_", " ")
