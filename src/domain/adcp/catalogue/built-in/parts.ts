import type { CreativeFormat } from "../../schema/creative-format.ts"
import type { Canonical } from "../format-names.ts"

export type Asset = NonNullable<CreativeFormat["assets"]>[number]

interface Size {
  readonly width: number
  readonly height: number
}

type Shape = Pick<CreativeFormat, "renders" | "accepts_parameters">

/** What formats of a kind have in common: their kind in AdCP, and what is reported about them. */
export interface Family {
  readonly canonical: Canonical
  readonly metrics: readonly Metric[]
}

type Metric = NonNullable<CreativeFormat["reported_metrics"]>[number]

export const family = (kind: Canonical["kind"], ...metrics: readonly Metric[]): Family => ({
  canonical: { kind },
  metrics,
})

interface Labels {
  readonly id: string
  readonly name: string
  readonly description: string
}

export function format(
  { id, name, description }: Labels,
  { canonical, metrics }: Family,
  assets: readonly Asset[],
  shape: Shape = {},
): CreativeFormat {
  const labels = { format_id: { id }, name, description }
  return { ...labels, canonical, ...shape, assets: [...assets], reported_metrics: [...metrics] }
}

export const fixedSize = (size: Size, unit: "px" | "mm" = "px", role = "primary"): Shape => ({
  renders: [{ role, dimensions: { ...size, unit } }],
})

/** The size is in the format_id. */
export const ANY_SIZE: Shape = {
  accepts_parameters: ["dimensions"],
  renders: [{ role: "primary", parameters_from_format_id: true }],
}

export const atLeast = (min_width: number, min_height: number, aspect_ratio: string): Shape => ({
  renders: [{ role: "primary", dimensions: { min_width, min_height, aspect_ratio, unit: "px" } }],
})

interface AssetOptions {
  readonly requirements?: object
  readonly isOptional?: boolean
}

export function asset(id: string, type: string, group: string, options: AssetOptions = {}): Asset {
  const { requirements, isOptional = false } = options
  const fields = { item_type: "individual", asset_id: id, asset_type: type, asset_group_id: group }
  return { ...fields, required: !isOptional, ...(requirements && { requirements }) } as Asset
}

export function image(size: Size, kilobytes: number, id = "banner_image", group = "image_main"): Asset {
  const requirements = {
    ...exactly(size),
    formats: ["jpg", "png", "gif", "webp"],
    max_file_size_kb: kilobytes,
    animation_allowed: true,
    max_animation_duration_ms: 30_000,
  }
  return asset(id, "image", group, { requirements })
}

export const text = (id: string, group: string, charactersMax: number, isOptional = false): Asset =>
  asset(id, "text", group, { requirements: { max_length: charactersMax }, isOptional })

export const exactly = ({ width, height }: Size) => ({
  min_width: width,
  max_width: width,
  min_height: height,
  max_height: height,
})

export const exactLength = (ms: number) => ({ min_duration_ms: ms, max_duration_ms: ms })

const HTTPS_ONLY = { protocols: ["https"], max_length: 2_048 }

export const LANDING_PAGE = asset("landing_page_url", "url", "landing_page_url", {
  requirements: { role: "clickthrough", ...HTTPS_ONLY },
})

export const IMPRESSION_TRACKER = asset("impression_tracker", "url", "impression_tracker", {
  requirements: { role: "impression_tracker", macro_support: true, ...HTTPS_ONLY },
  isOptional: true,
})
