import type { Span } from "../words/spans.ts"

export interface Channels {
  readonly channels: ReadonlyMap<string, number>
  readonly unwantedChannels: ReadonlySet<string>
}

// Of several channels that a word can mean, the first is meant most often.
const FURTHER = 0.9

/** The channels that a brief asks for, and those that it does not want. A narrow word decides what a wide one means. */
export function readChannels(spans: readonly Span[]): Channels {
  // A set: what a word means is one list, however often it comes.
  const wanted = new Set<readonly string[]>()
  const unwanted = new Set<string>()
  for (const { meanings, isNegated } of spans) {
    for (const meaning of meanings) {
      if (meaning.kind !== "channel") continue
      if (isNegated) for (const channel of meaning.channels) unwanted.add(channel)
      else wanted.add(meaning.channels)
    }
  }
  const channels = new Map<string, number>()
  for (const mention of wanted) {
    // "Newsletter banner" is about newsletters; "video" in a brief for connected TV is that video.
    if (isNarrowed(mention, wanted)) continue
    for (const [place, channel] of mention.entries()) {
      channels.set(channel, Math.max(channels.get(channel) ?? 0, place === 0 ? 1 : FURTHER))
    }
  }
  for (const channel of channels.keys()) unwanted.delete(channel)
  return { channels, unwantedChannels: unwanted }
}

function isNarrowed(mention: readonly string[], mentions: ReadonlySet<readonly string[]>): boolean {
  for (const other of mentions) {
    if (other.length < mention.length && other.every((channel) => mention.includes(channel))) return true
  }
  return false
}
