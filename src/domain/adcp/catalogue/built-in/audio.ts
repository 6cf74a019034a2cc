import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { asset, format, impressionTracker, landingPage, text } from "./parts.ts"

const files = { formats: ["mp3", "wav", "aac"], max_file_size_kb: 10_240 }

function spot(id: string, name: string, description: string, milliseconds: number): CreativeFormat {
  const length = { min_duration_ms: milliseconds, max_duration_ms: milliseconds }
  return format(id, name, description, {
    assets: [asset("audio_file", "audio", "audio_main", { ...length, ...files }), impressionTracker],
    canonical: { kind: "audio_hosted" },
    reported_metrics: ["impressions", "completed_views", "completion_rate"],
  })
}

/** The host speaks from the buyer's notes; the publisher records it. */
function hostRead(id: string, name: string, description: string): CreativeFormat {
  return format(id, name, description, {
    assets: [text("talking_points", "script", 2000), text("call_to_action", "cta", 200), landingPage],
    canonical: {
      kind: "audio_hosted",
      asset_source: "publisher_host_recorded",
      slots_override: [{ asset_group_id: "script", asset_type: "text", required: true }],
    },
    reported_metrics: ["impressions"],
  })
}

export const audioFormats: CreativeFormat[] = [
  spot("audio_15s_hosted", "Audio spot, 15 seconds", "A spot of 15 seconds for streams and web radio.", 15_000),
  spot("audio_30s_hosted", "Audio spot, 30 seconds", "A spot of 30 seconds for streams and web radio.", 30_000),
  spot("audio_60s_hosted", "Audio spot, 60 seconds", "A spot of 60 seconds for streams and web radio.", 60_000),
  format("audio_daast", "Audio by DAAST tag", "A linear audio spot, served by a DAAST tag.", {
    assets: [asset("daast_tag", "daast", "daast_tag", { daast_version: "1.0" })],
    canonical: { kind: "audio_daast" },
    reported_metrics: ["impressions", "completed_views"],
  }),
  spot("podcast_preroll_30s_hosted", "Podcast pre-roll, 30 seconds", "A recorded spot before the episode.", 30_000),
  spot("podcast_midroll_60s_hosted", "Podcast mid-roll, 60 seconds", "A recorded spot inside the episode.", 60_000),
  hostRead(
    "podcast_host_read_preroll",
    "Podcast pre-roll, read by the host",
    "The host reads your notes before the episode.",
  ),
  hostRead(
    "podcast_host_read_midroll",
    "Podcast mid-roll, read by the host",
    "The host reads your notes inside the episode.",
  ),
]
