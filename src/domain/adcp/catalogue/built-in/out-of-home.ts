import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { asset, exactly, format, image, render, type Size } from "./parts.ts"

const screens: [string, string, number, number][] = [
  ["dooh_landscape_1920x1080", "Digital screen, landscape", 1920, 1080],
  ["dooh_portrait_1080x1920", "Digital screen, portrait", 1080, 1920],
]

// Only metrics that AdCP 3.0 knows too, so that older clients can read the whole catalogue.
const metrics = { reported_metrics: ["impressions" as const] }

function poster(id: string, name: string, description: string, size: Size): CreativeFormat {
  const file = { formats: ["pdf", "tiff"], unit: "mm", min_dpi: 150, color_space: "cmyk" }
  return format(id, name, description, {
    renders: render(size, "mm"),
    assets: [asset("print_file", "image", "image_main", file)],
    canonical: { kind: "image" },
    ...metrics,
  })
}

export const outOfHomeFormats: CreativeFormat[] = [
  ...screens.map(([id, name, width, height]) =>
    format(`${id}_image`, `${name} (image)`, `A still picture of ${width} by ${height} pixels on a digital screen.`, {
      renders: render({ width, height }),
      assets: [image({ width, height }, 5_120)],
      canonical: { kind: "image" },
      ...metrics,
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
        ...metrics,
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
