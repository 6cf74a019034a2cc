import type { CreativeFormat } from "../../schema/creative-format.ts"
import { asset, exactLength, type Family, family, format, IMPRESSION_TRACKER, LANDING_PAGE, text } from "./parts.ts"

const AUDIO = family("audio_hosted", "impressions", "completed_views", "completion_rate")
const DAAST = family("audio_daast", "impressions", "completed_views")

/** The host speaks from the buyer's notes, and the publisher records it. */
const HOST_READ: Family = {
  canonical: {
    kind: "audio_hosted",
    asset_source: "publisher_host_recorded",
    slots_override: [{ asset_group_id: "script", asset_type: "text", required: true }],
  },
  metrics: ["impressions"],
}

function spot(id: string, name: string, description: string, seconds: number): CreativeFormat {
  const files = { formats: ["mp3", "wav", "aac"], max_file_size_kb: 10_240 }
  const requirements = { ...exactLength(seconds * 1_000), ...files }
  const labels = { id: `${id}_${seconds}s_hosted`, name: `${name}, ${seconds} seconds`, description }
  return format(labels, AUDIO, [asset("audio_file", "audio", "audio_main", { requirements }), IMPRESSION_TRACKER])
}

const streamed = (seconds: number) =>
  spot("audio", "Audio spot", `A spot of ${seconds} seconds for streams and web radio.`, seconds)

function hostRead(place: "pre-roll" | "mid-roll", where: string): CreativeFormat {
  const labels = {
    id: `podcast_host_read_${place.replace("-", "")}`,
    name: `Podcast ${place}, read by the host`,
    description: `The host reads your notes ${where} the episode.`,
  }
  const notes = text("talking_points", "script", 2_000)
  return format(labels, HOST_READ, [notes, text("call_to_action", "cta", 200), LANDING_PAGE])
}

export const AUDIO_FORMATS: readonly CreativeFormat[] = [
  ...[15, 30, 60].map(streamed),
  format(
    {
      id: "audio_daast",
      name: "Audio by DAAST tag",
      description: "A linear audio spot, served by a DAAST tag.",
    },
    DAAST,
    [asset("daast_tag", "daast", "daast_tag", { requirements: { daast_version: "1.0" } })],
  ),
  spot("podcast_preroll", "Podcast pre-roll", "A recorded spot before the episode.", 30),
  spot("podcast_midroll", "Podcast mid-roll", "A recorded spot inside the episode.", 60),
  hostRead("pre-roll", "before"),
  hostRead("mid-roll", "inside"),
]
