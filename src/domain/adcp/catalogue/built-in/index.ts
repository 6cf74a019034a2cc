import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { type OwnFormats, ownFormats } from "../check.ts"
import {
  asset,
  displayFormats,
  exactly,
  format,
  image,
  impressionTracker,
  landingPage,
  nativeFormats,
  newsletterFormats,
  render,
  type Size,
  text,
} from "./display.ts"

const audioFiles = { formats: ["mp3", "wav", "aac"], max_file_size_kb: 10_240 }

function spot(id: string, name: string, description: string, milliseconds: number): CreativeFormat {
  const length = { min_duration_ms: milliseconds, max_duration_ms: milliseconds }
  return format(id, name, description, {
    assets: [asset("audio_file", "audio", "audio_main", { ...length, ...audioFiles }), impressionTracker],
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

const audioFormats: CreativeFormat[] = [
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

const videoMetrics: Partial<CreativeFormat> = {
  reported_metrics: ["impressions", "views", "completed_views", "completion_rate", "clicks"],
}
const videoFiles = { containers: ["mp4", "webm"], codecs: ["h264", "vp9", "av1"], max_file_size_kb: 102_400 }

const lasting = (ms: number) => ({ min_duration_ms: ms, max_duration_ms: ms, aspect_ratio: "16:9", ...videoFiles })

function hosted(seconds: number): CreativeFormat {
  return format(
    `video_${seconds}s_hosted`,
    `Video, ${seconds} seconds`,
    `A landscape video file of ${seconds} seconds that we host.`,
    {
      renders: landscape,
      assets: [asset("video_file", "video", "video_main", lasting(seconds * 1000)), landingPage, impressionTracker],
      canonical: { kind: "video_hosted" },
      ...videoMetrics,
    },
  )
}

const landscape: NonNullable<CreativeFormat["renders"]> = [
  { role: "primary", dimensions: { min_width: 640, min_height: 360, aspect_ratio: "16:9", unit: "px" } },
]
const portrait: NonNullable<CreativeFormat["renders"]> = [
  { role: "primary", dimensions: { min_width: 720, min_height: 1280, aspect_ratio: "9:16", unit: "px" } },
]

const videoFormats: CreativeFormat[] = [
  hosted(6),
  hosted(15),
  hosted(30),
  format("video_vertical_hosted", "Vertical video, up to 60 seconds", "A portrait video file for feeds and stories.", {
    renders: portrait,
    assets: [
      asset("video_file", "video", "video_main", { max_duration_ms: 60_000, aspect_ratio: "9:16", ...videoFiles }),
      landingPage,
      impressionTracker,
    ],
    canonical: { kind: "video_hosted" },
    ...videoMetrics,
  }),
  format("video_vast", "Video by VAST tag", "A linear video of up to 60 seconds, served by a VAST 4.2 tag.", {
    renders: landscape,
    assets: [asset("vast_tag", "vast", "vast_tag", { vast_version: "4.2" })],
    canonical: { kind: "video_vast" },
    ...videoMetrics,
  }),
  format(
    "video_ctv_30s_hosted",
    "Connected TV spot, 30 seconds",
    "A full-screen spot for the television screen; it takes no click.",
    {
      renders: render({ width: 1920, height: 1080 }),
      assets: [asset("video_file", "video", "video_main", lasting(30_000)), impressionTracker],
      canonical: { kind: "video_hosted" },
      reported_metrics: ["impressions", "views", "completed_views", "completion_rate"],
    },
  ),
]

const screens: [string, string, number, number][] = [
  ["dooh_landscape_1920x1080", "Digital screen, landscape", 1920, 1080],
  ["dooh_portrait_1080x1920", "Digital screen, portrait", 1080, 1920],
]

// Only outdoorMetrics that AdCP 3.0 knows too, so that older clients can read the whole catalogue.
const outdoorMetrics = { reported_metrics: ["impressions" as const] }

function poster(id: string, name: string, description: string, size: Size): CreativeFormat {
  const file = { formats: ["pdf", "tiff"], unit: "mm", min_dpi: 150, color_space: "cmyk" }
  return format(id, name, description, {
    renders: render(size, "mm"),
    assets: [asset("print_file", "image", "image_main", file)],
    canonical: { kind: "image" },
    ...outdoorMetrics,
  })
}

const outOfHomeFormats: CreativeFormat[] = [
  ...screens.map(([id, name, width, height]) =>
    format(`${id}_image`, `${name} (image)`, `A still picture of ${width} by ${height} pixels on a digital screen.`, {
      renders: render({ width, height }),
      assets: [image({ width, height }, 5_120)],
      canonical: { kind: "image" },
      ...outdoorMetrics,
    }),
  ),
  ...screens.map(([id, name, width, height]) =>
    format(
      `${id}_video`,
      `${name} (video)`,
      `A silent video of 10 seconds, ${width} by ${height} pixels, on a digital screen.`,
      {
        renders: render({ width, height }),
        assets: [
          asset("video_file", "video", "video_main", {
            ...exactly({ width, height }),
            min_duration_ms: 10_000,
            max_duration_ms: 10_000,
            containers: ["mp4"],
            audio_required: false,
          }),
        ],
        canonical: { kind: "video_hosted" },
        ...outdoorMetrics,
      },
    ),
  ),
  poster(
    "ooh_poster_18_1",
    "Printed billboard 18/1",
    "A printed poster of 356 by 252 centimetres. Send a print-ready file.",
    { width: 3560, height: 2520 },
  ),
  poster(
    "ooh_city_light_poster",
    "City light poster",
    "A printed poster of 1185 by 1750 millimetres. Send a print-ready file.",
    { width: 1185, height: 1750 },
  ),
]

/** The public catalogue that every installation starts with. The operator may extend, replace or hide its formats. */
export const builtInFormats: readonly CreativeFormat[] = [
  ...displayFormats,
  ...videoFormats,
  ...audioFormats,
  ...newsletterFormats,
  ...nativeFormats,
  ...outOfHomeFormats,
]

/** The built-in formats, replaced or (null) hidden by the operator's formats with the same id. */
export function catalogueFormats(operators: ReadonlyMap<string, unknown>): OwnFormats {
  const formats = new Map<string, unknown>(ownFormats(builtInFormats))
  for (const [id, body] of operators) {
    if (body === null) formats.delete(id)
    else formats.set(id, body)
  }
  return formats as Map<string, CreativeFormat>
}
