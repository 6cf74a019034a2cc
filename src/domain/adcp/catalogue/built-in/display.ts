import type { CreativeFormat } from "../../schema/creative-format.ts"
import { ANY_SIZE, asset, family, fixedSize, format, IMPRESSION_TRACKER, image, LANDING_PAGE } from "./parts.ts"

export const PICTURE = family("image", "impressions", "clicks", "ctr")
const HTML5 = family("html5", "impressions", "clicks", "ctr")
const TAG = family("display_tag", "impressions", "clicks", "ctr")

// The sizes that publishers sell most.
const SIZES = [
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
] as const
const HTML5_SIZES = ["300x250", "728x90", "970x250", "300x600"]

function picture(width: number, height: number, name: string): CreativeFormat {
  const size = { width, height }
  const labels = {
    id: `display_${width}x${height}_image`,
    name: `${name} ${width}x${height} (image)`,
    description: `A picture of ${width} by ${height} pixels with one landing page.`,
  }
  return format(labels, PICTURE, [image(size, 200), LANDING_PAGE, IMPRESSION_TRACKER], fixedSize(size))
}

function html5(width: number, height: number, name: string): CreativeFormat {
  const size = { width, height }
  const labels = {
    id: `display_${width}x${height}_html5`,
    name: `${name} ${width}x${height} (HTML5)`,
    description: `An HTML5 banner in one document of ${width} by ${height} pixels, with a backup picture.`,
  }
  const requirements = { max_file_size_kb: 300, external_resources_allowed: false }
  const document = asset("html5_banner", "html", "html5_banner", { requirements })
  const assets = [document, image(size, 200, "backup_image", "backup_image"), LANDING_PAGE]
  return format(labels, HTML5, assets, fixedSize(size))
}

const ANY_PICTURE = format(
  {
    id: "display_image",
    name: "Display picture, any size",
    description: "A picture in the size that the format_id names.",
  },
  PICTURE,
  [
    asset("banner_image", "image", "image_main", { requirements: { max_file_size_kb: 200 } }),
    LANDING_PAGE,
    IMPRESSION_TRACKER,
  ],
  ANY_SIZE,
)

const ANY_TAG = format(
  {
    id: "display_tag",
    name: "Third-party display tag, any size",
    description: "A JavaScript tag in the size that the format_id names.",
  },
  TAG,
  [asset("tag", "javascript", "tag", { requirements: { external_resources_allowed: true } })],
  ANY_SIZE,
)

export const DISPLAY_FORMATS: readonly CreativeFormat[] = [
  ...SIZES.map(([width, height, name]) => picture(width, height, name)),
  ...SIZES.filter(([width, height]) => HTML5_SIZES.includes(`${width}x${height}`)).map(([width, height, name]) =>
    html5(width, height, name),
  ),
  ANY_PICTURE,
  ANY_TAG,
]
