import type { CreativeFormat } from "../../schema/creative-format.ts"
import {
  type Asset,
  asset,
  atLeast,
  exactLength,
  type Family,
  family,
  fixedSize,
  format,
  IMPRESSION_TRACKER,
  LANDING_PAGE,
  text,
} from "./parts.ts"

const WATCHED = ["impressions", "views", "completed_views", "completion_rate"] as const
const VIDEO = family("video_hosted", ...WATCHED, "clicks")
const VAST = family("video_vast", ...WATCHED, "clicks")
const TV_SPOT = family("video_hosted", ...WATCHED)

const LANDSCAPE = atLeast(640, 360, "16:9")
const FILES = { containers: ["mp4", "webm"], codecs: ["h264", "vp9", "av1"], max_file_size_kb: 102_400 }

export const videoFile = (requirements: object): Asset => asset("video_file", "video", "video_main", { requirements })

const lasting = (seconds: number) => videoFile({ ...exactLength(seconds * 1_000), aspect_ratio: "16:9", ...FILES })

const hosted = (seconds: number): CreativeFormat =>
  format(
    {
      id: `video_${seconds}s_hosted`,
      name: `Video, ${seconds} seconds`,
      description: `A landscape video file of ${seconds} seconds that we host.`,
    },
    VIDEO,
    [lasting(seconds), LANDING_PAGE, IMPRESSION_TRACKER],
    LANDSCAPE,
  )

export const VIDEO_FORMATS: readonly CreativeFormat[] = [
  ...[6, 15, 30].map(hosted),
  format(
    {
      id: "video_vertical_hosted",
      name: "Vertical video, up to 60 seconds",
      description: "A portrait video file for feeds and stories.",
    },
    VIDEO,
    [videoFile({ max_duration_ms: 60_000, aspect_ratio: "9:16", ...FILES }), LANDING_PAGE, IMPRESSION_TRACKER],
    atLeast(720, 1_280, "9:16"),
  ),
  format(
    {
      id: "video_vast",
      name: "Video by VAST tag",
      description: "A linear video of up to 60 seconds, served by a VAST 4.2 tag.",
    },
    VAST,
    [asset("vast_tag", "vast", "vast_tag", { requirements: { vast_version: "4.2" } })],
    LANDSCAPE,
  ),
  format(
    {
      id: "video_ctv_30s_hosted",
      name: "Connected TV spot, 30 seconds",
      description: "A full-screen spot for the television screen. It takes no click.",
    },
    TV_SPOT,
    [lasting(30), IMPRESSION_TRACKER],
    fixedSize({ width: 1_920, height: 1_080 }),
  ),
]

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
