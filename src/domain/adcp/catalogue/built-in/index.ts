import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { type OwnFormats, ownFormats } from "../check.ts"
import * as f from "./display.ts"

const exactLength = (ms: number) => ({ min_duration_ms: ms, max_duration_ms: ms })

const audioFiles = { formats: ["mp3", "wav", "aac"], max_file_size_kb: 10_240 }
const AUDIO = f.family("audio_hosted", "impressions", "completed_views", "completion_rate")
/** The host speaks from the buyer's notes; the publisher records it. */
const HOST_READ: f.Family = {
  canonical: {
    kind: "audio_hosted",
    asset_source: "publisher_host_recorded",
    slots_override: [{ asset_group_id: "script", asset_type: "text", required: true }],
  },
  metrics: ["impressions"],
}

function spot(id: string, name: string, description: string, seconds: number): CreativeFormat {
  const file = { ...exactLength(seconds * 1_000), ...audioFiles }
  const about = `${id}_${seconds}s_hosted | ${name}, ${seconds} seconds | ${description}`
  return f.format(about, AUDIO, [f.asset("audio_file", "audio", "audio_main", file), f.impressionTracker])
}

const streamed = (seconds: number) =>
  spot("audio", "Audio spot", `A spot of ${seconds} seconds for streams and web radio.`, seconds)

const hostRead = (place: string, when: string) =>
  f.format(
    `podcast_host_read_${place.replace("-", "")} | Podcast ${place}, read by the host | The host reads your notes ${when} the episode.`,
    HOST_READ,
    [f.text("talking_points", "script", 2000), f.text("call_to_action", "cta", 200), f.landingPage],
  )

const audioFormats: CreativeFormat[] = [
  ...[15, 30, 60].map(streamed),
  f.format(
    "audio_daast | Audio by DAAST tag | A linear audio spot, served by a DAAST tag.",
    f.family("audio_daast", "impressions", "completed_views"),
    [f.asset("daast_tag", "daast", "daast_tag", { daast_version: "1.0" })],
  ),
  spot("podcast_preroll", "Podcast pre-roll", "A recorded spot before the episode.", 30),
  spot("podcast_midroll", "Podcast mid-roll", "A recorded spot inside the episode.", 60),
  hostRead("pre-roll", "before"),
  hostRead("mid-roll", "inside"),
]

const watched = ["impressions", "views", "completed_views", "completion_rate"] as const
const VIDEO = f.family("video_hosted", ...watched, "clicks")
const videoFiles = { containers: ["mp4", "webm"], codecs: ["h264", "vp9", "av1"], max_file_size_kb: 102_400 }

const videoFile = (requirements: object) => f.asset("video_file", "video", "video_main", requirements)
const lasting = (ms: number) => videoFile({ ...exactLength(ms), aspect_ratio: "16:9", ...videoFiles })

const atLeast = (min_width: number, min_height: number, aspect_ratio: string): Pick<CreativeFormat, "renders"> => ({
  renders: [{ role: "primary", dimensions: { min_width, min_height, aspect_ratio, unit: "px" } }],
})
const landscape = atLeast(640, 360, "16:9")

const hosted = (seconds: number) =>
  f.format(
    `video_${seconds}s_hosted | Video, ${seconds} seconds | A landscape video file of ${seconds} seconds that we host.`,
    VIDEO,
    [lasting(seconds * 1_000), f.landingPage, f.impressionTracker],
    landscape,
  )

const videoFormats: CreativeFormat[] = [
  ...[6, 15, 30].map(hosted),
  f.format(
    "video_vertical_hosted | Vertical video, up to 60 seconds | A portrait video file for feeds and stories.",
    VIDEO,
    [videoFile({ max_duration_ms: 60_000, aspect_ratio: "9:16", ...videoFiles }), f.landingPage, f.impressionTracker],
    atLeast(720, 1280, "9:16"),
  ),
  f.format(
    "video_vast | Video by VAST tag | A linear video of up to 60 seconds, served by a VAST 4.2 tag.",
    f.family("video_vast", ...watched, "clicks"),
    [f.asset("vast_tag", "vast", "vast_tag", { vast_version: "4.2" })],
    landscape,
  ),
  f.format(
    "video_ctv_30s_hosted | Connected TV spot, 30 seconds | A full-screen spot for the television screen; it takes no click.",
    f.family("video_hosted", ...watched),
    [lasting(30_000), f.impressionTracker],
    f.render({ width: 1920, height: 1080 }),
  ),
]

// Only metrics that AdCP 3.0 knows too, so that older clients can read the whole catalogue.
const OUTDOOR_PICTURE = f.family("image", "impressions")
const OUTDOOR_VIDEO = f.family("video_hosted", "impressions")

const screens: [string, string, number, number][] = [
  ["dooh_landscape_1920x1080", "Digital screen, landscape", 1920, 1080],
  ["dooh_portrait_1080x1920", "Digital screen, portrait", 1080, 1920],
]
const silentSpot = { ...exactLength(10_000), containers: ["mp4"], audio_required: false }
const printFile = { formats: ["pdf", "tiff"], unit: "mm", min_dpi: 150, color_space: "cmyk" }

function poster(id: string, name: string, size: string, width: number, height: number): CreativeFormat {
  const about = `${id} | ${name} | A printed poster of ${size}. Send a print-ready file.`
  const file = f.asset("print_file", "image", "image_main", printFile)
  return f.format(about, OUTDOOR_PICTURE, [file], f.render({ width, height }, "mm"))
}

const outOfHomeFormats: CreativeFormat[] = [
  ...screens.map(([id, name, width, height]) =>
    f.format(
      `${id}_image | ${name} (image) | A still picture of ${width} by ${height} pixels on a digital screen.`,
      OUTDOOR_PICTURE,
      [f.image({ width, height }, 5_120)],
      f.render({ width, height }),
    ),
  ),
  ...screens.map(([id, name, width, height]) =>
    f.format(
      `${id}_video | ${name} (video) | A silent video of 10 seconds, ${width} by ${height} pixels, on a digital screen.`,
      OUTDOOR_VIDEO,
      [videoFile({ ...f.exactly({ width, height }), ...silentSpot })],
      f.render({ width, height }),
    ),
  ),
  poster("ooh_poster_18_1", "Printed billboard 18/1", "356 by 252 centimetres", 3560, 2520),
  poster("ooh_city_light_poster", "City light poster", "1185 by 1750 millimetres", 1185, 1750),
]

/** The public catalogue that every installation starts with. The operator may extend, replace or hide its formats. */
export const builtInFormats: readonly CreativeFormat[] = [
  ...f.displayFormats,
  ...videoFormats,
  ...audioFormats,
  ...f.newsletterFormats,
  ...f.nativeFormats,
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
