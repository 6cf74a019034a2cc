import type { CreativeFormat } from "../../schema/creative-format.ts"
import { asset, exactLength, exactly, family, fixedSize, format, image } from "./parts.ts"
import { videoFile } from "./video-audio.ts"

// Older clients know AdCP 3.0, which has no other metrics for these formats.
const PICTURE = family("image", "impressions")
const VIDEO = family("video_hosted", "impressions")

const SCREENS = [
  { id: "dooh_landscape_1920x1080", name: "Digital screen, landscape", size: { width: 1_920, height: 1_080 } },
  { id: "dooh_portrait_1080x1920", name: "Digital screen, portrait", size: { width: 1_080, height: 1_920 } },
]
type Screen = (typeof SCREENS)[number]

function picture({ id, name, size }: Screen): CreativeFormat {
  const labels = {
    id: `${id}_image`,
    name: `${name} (image)`,
    description: `A still picture of ${size.width} by ${size.height} pixels on a digital screen.`,
  }
  return format(labels, PICTURE, [image(size, 5_120)], fixedSize(size))
}

function video({ id, name, size }: Screen): CreativeFormat {
  const labels = {
    id: `${id}_video`,
    name: `${name} (video)`,
    description: `A silent video of 10 seconds, ${size.width} by ${size.height} pixels, on a digital screen.`,
  }
  const silentSpot = { ...exactLength(10_000), containers: ["mp4"], audio_required: false }
  return format(labels, VIDEO, [videoFile({ ...exactly(size), ...silentSpot })], fixedSize(size))
}

const PRINT_FILE = { formats: ["pdf", "tiff"], unit: "mm", min_dpi: 150, color_space: "cmyk" }

function poster(id: string, name: string, size: string, width: number, height: number): CreativeFormat {
  const labels = { id, name, description: `A printed poster of ${size}. Send a print-ready file.` }
  const file = asset("print_file", "image", "image_main", { requirements: PRINT_FILE })
  return format(labels, PICTURE, [file], fixedSize({ width, height }, "mm"))
}

export const OUT_OF_HOME_FORMATS: readonly CreativeFormat[] = [
  ...SCREENS.map(picture),
  ...SCREENS.map(video),
  poster("ooh_poster_18_1", "Printed billboard 18/1", "356 by 252 centimeters", 3_560, 2_520),
  poster("ooh_city_light_poster", "City light poster", "1185 by 1750 millimeters", 1_185, 1_750),
]
