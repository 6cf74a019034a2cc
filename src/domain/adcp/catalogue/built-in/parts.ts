import type { CreativeFormat } from "../../schema/format/creative-format.ts"

type Assets = NonNullable<CreativeFormat["assets"]>
type Asset = Assets[number]
type Renders = NonNullable<CreativeFormat["renders"]>

export type Size = Record<"width" | "height", number>

const IMAGE_FILES = ["jpg", "png", "gif", "webp"] as const
export const DISPLAY_METRICS = ["impressions", "clicks", "ctr"] as const
export const VIDEO_METRICS = ["impressions", "views", "completed_views", "completion_rate", "clicks"] as const

export function format(id: string, name: string, description: string, rest: Partial<CreativeFormat>): CreativeFormat {
  return { format_id: { id }, name, description, ...rest }
}

export function render(size: Size, unit: "px" | "mm" = "px"): Renders {
  return [{ role: "primary", dimensions: { ...size, unit } }]
}

export function asset(id: string, type: string, group: string, requirements?: object, required = true): Asset {
  const shared = { item_type: "individual", asset_id: id, asset_type: type, asset_group_id: group, required }
  return (requirements ? { ...shared, requirements } : shared) as Asset
}

export function exactly({ width, height }: Size) {
  return { min_width: width, max_width: width, min_height: height, max_height: height }
}

export function image(size: Size, kilobytes: number, id = "banner_image", group = "image_main"): Asset {
  return asset(id, "image", group, {
    ...exactly(size),
    formats: [...IMAGE_FILES],
    max_file_size_kb: kilobytes,
    animation_allowed: true,
    max_animation_duration_ms: 30_000,
  })
}

export function text(id: string, group: string, longest: number, required = true): Asset {
  return asset(id, "text", group, { max_length: longest }, required)
}

const httpsOnly = { protocols: ["https"], max_length: 2048 }

export const landingPage = asset("landing_page_url", "url", "landing_page_url", { role: "clickthrough", ...httpsOnly })

export const impressionTracker = asset(
  "impression_tracker",
  "url",
  "impression_tracker",
  { role: "impression_tracker", macro_support: true, ...httpsOnly },
  false,
)
