export const FORMATS = 40

/** Forty banner formats of the size that real catalogues have: about 900 bytes each. */
export function formats(agentUrl?: string) {
  return Array.from({ length: FORMATS }, (_, place) => format(place, agentUrl))
}

export function formatId(place: number, agentUrl?: string) {
  const id = `bench_display_${300 + place}x250`
  return agentUrl === undefined ? { id } : { agent_url: agentUrl, id }
}

function format(place: number, agentUrl?: string) {
  const width = 300 + place
  return {
    format_id: formatId(place, agentUrl),
    name: `Banner ${width}x250`,
    description: `Static or animated image banner, ${width} by 250 pixels, on editorial pages.`,
    renders: [{ role: "primary", dimensions: { width, height: 250, unit: "px" } }],
    assets: [image(width), clickAddress],
    supported_macros: ["CACHEBUSTER", "CLICK_URL", "MEDIA_BUY_ID"],
    reported_metrics: ["impressions", "clicks", "ctr"],
    canonical: { kind: "image" },
  }
}

function image(width: number) {
  const size = { min_width: width, max_width: width, min_height: 250, max_height: 250 }
  return {
    item_type: "individual",
    asset_id: "banner_image",
    asset_type: "image",
    asset_role: "hero_image",
    required: true,
    requirements: { ...size, formats: ["jpg", "png", "gif", "webp"], max_file_size_kb: 150, animation_allowed: true },
  }
}

const clickAddress = {
  item_type: "individual",
  asset_id: "click_url",
  asset_type: "url",
  asset_role: "click_through",
  required: true,
  requirements: { role: "clickthrough", protocols: ["https"], max_length: 2048, macro_support: true },
}
