import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { asset, format, impressionTracker, landingPage, render, VIDEO_METRICS } from "./parts.ts"

const metrics = { reported_metrics: [...VIDEO_METRICS] }
const files = { containers: ["mp4", "webm"], codecs: ["h264", "vp9", "av1"], max_file_size_kb: 102_400 }

const lasting = (ms: number) => ({ min_duration_ms: ms, max_duration_ms: ms, aspect_ratio: "16:9", ...files })

function hosted(seconds: number): CreativeFormat {
  return format(
    `video_${seconds}s_hosted`,
    `Video, ${seconds} seconds`,
    `A landscape video file of ${seconds} seconds that we host.`,
    {
      renders: landscape,
      assets: [asset("video_file", "video", "video_main", lasting(seconds * 1000)), landingPage, impressionTracker],
      canonical: { kind: "video_hosted" },
      ...metrics,
    },
  )
}

const landscape: NonNullable<CreativeFormat["renders"]> = [
  { role: "primary", dimensions: { min_width: 640, min_height: 360, aspect_ratio: "16:9", unit: "px" } },
]
const portrait: NonNullable<CreativeFormat["renders"]> = [
  { role: "primary", dimensions: { min_width: 720, min_height: 1280, aspect_ratio: "9:16", unit: "px" } },
]

export const videoFormats: CreativeFormat[] = [
  hosted(6),
  hosted(15),
  hosted(30),
  format("video_vertical_hosted", "Vertical video, up to 60 seconds", "A portrait video file for feeds and stories.", {
    renders: portrait,
    assets: [
      asset("video_file", "video", "video_main", { max_duration_ms: 60_000, aspect_ratio: "9:16", ...files }),
      landingPage,
      impressionTracker,
    ],
    canonical: { kind: "video_hosted" },
    ...metrics,
  }),
  format("video_vast", "Video by VAST tag", "A linear video of up to 60 seconds, served by a VAST 4.2 tag.", {
    renders: landscape,
    assets: [asset("vast_tag", "vast", "vast_tag", { vast_version: "4.2" })],
    canonical: { kind: "video_vast" },
    ...metrics,
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
