import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { asset, DISPLAY_METRICS, format, image, impressionTracker, landingPage, render, type Size } from "./parts.ts"

// The display sizes that publishers sell most, as pictures; the four largest sellers also as HTML5.
const sizes: [number, number, string][] = [
  [300, 250, "Medium rectangle"],
  [336, 280, "Large rectangle"],
  [728, 90, "Leaderboard"],
  [970, 90, "Large leaderboard"],
  [970, 250, "Billboard"],
  [300, 600, "Half page"],
  [160, 600, "Wide skyscraper"],
  [120, 600, "Skyscraper"],
  [320, 50, "Mobile banner"],
  [320, 100, "Large mobile banner"],
  [320, 480, "Mobile interstitial"],
]
const html5Sizes = new Set(["300x250", "728x90", "970x250", "300x600"])

const metrics = { reported_metrics: [...DISPLAY_METRICS] }

function picture(size: Size, name: string): CreativeFormat {
  const { width, height } = size
  return format(
    `display_${width}x${height}_image`,
    `${name} ${width}x${height} (image)`,
    `A picture of ${width} by ${height} pixels with one landing page.`,
    {
      renders: render(size),
      assets: [image(size, 200), landingPage, impressionTracker],
      canonical: { kind: "image" },
      ...metrics,
    },
  )
}

function html5({ width, height }: Size, name: string): CreativeFormat {
  const limits = { max_file_size_kb: 300, external_resources_allowed: false }
  const bundle = asset("html5_banner", "html", "html5_banner", limits)
  const backup = image({ width, height }, 200, "backup_image", "backup_image")
  return format(
    `display_${width}x${height}_html5`,
    `${name} ${width}x${height} (HTML5)`,
    `An HTML5 banner in one document, of ${width} by ${height} pixels with a backup picture.`,
    {
      renders: render({ width, height }),
      assets: [bundle, backup, landingPage],
      canonical: { kind: "html5" },
      ...metrics,
    },
  )
}

const sizeOfId: Partial<CreativeFormat> = {
  accepts_parameters: ["dimensions"],
  renders: [{ role: "primary", parameters_from_format_id: true }],
}

const anySize: CreativeFormat[] = [
  format("display_image", "Display picture, any size", "A picture in the size that the format_id names.", {
    ...sizeOfId,
    assets: [asset("banner_image", "image", "image_main", { max_file_size_kb: 200 }), landingPage, impressionTracker],
    canonical: { kind: "image" },
    ...metrics,
  }),
  format("display_tag", "Third-party display tag, any size", "A JavaScript tag in the size that the format_id names.", {
    ...sizeOfId,
    assets: [asset("tag", "javascript", "tag", { external_resources_allowed: true })],
    canonical: { kind: "display_tag" },
    ...metrics,
  }),
]

export const displayFormats: CreativeFormat[] = [
  ...sizes.map(([width, height, name]) => picture({ width, height }, name)),
  ...sizes
    .filter(([width, height]) => html5Sizes.has(`${width}x${height}`))
    .map(([width, height, name]) => html5({ width, height }, name)),
  ...anySize,
]
