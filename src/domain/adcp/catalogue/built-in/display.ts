import type { CreativeFormat } from "../../schema/format/creative-format.ts"

type Assets = NonNullable<CreativeFormat["assets"]>
type Asset = Assets[number]
type Renders = NonNullable<CreativeFormat["renders"]>

export type Size = Record<"width" | "height", number>

const IMAGE_FILES = ["jpg", "png", "gif", "webp"] as const
const displayMetrics: Partial<CreativeFormat> = { reported_metrics: ["impressions", "clicks", "ctr"] }

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
      ...displayMetrics,
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
      ...displayMetrics,
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
    ...displayMetrics,
  }),
  format("display_tag", "Third-party display tag, any size", "A JavaScript tag in the size that the format_id names.", {
    ...sizeOfId,
    assets: [asset("tag", "javascript", "tag", { external_resources_allowed: true })],
    canonical: { kind: "display_tag" },
    ...displayMetrics,
  }),
]

export const displayFormats: CreativeFormat[] = [
  ...sizes.map(([width, height, name]) => picture({ width, height }, name)),
  ...sizes
    .filter(([width, height]) => html5Sizes.has(`${width}x${height}`))
    .map(([width, height, name]) => html5({ width, height }, name)),
  ...anySize,
]

const wide = { width: 1200, height: 627 }
const square = { width: 1080, height: 1080 }
const words = [
  text("headline", "headline", 70),
  text("body", "body_text", 150, false),
  text("sponsor", "brand_name", 25),
]

export const nativeFormats: CreativeFormat[] = [
  format("native_in_feed", "Native in feed", "Picture, headline and text in the look of the page.", {
    renders: render(wide),
    assets: [image(wide, 300), ...words, landingPage, impressionTracker],
    canonical: { kind: "native_in_feed" },
    ...displayMetrics,
  }),
  format(
    "native_content_recommendation",
    "Content recommendation",
    "A square picture and a headline beside the articles.",
    {
      renders: render(square),
      assets: [image(square, 300), text("headline", "headline", 70), landingPage],
      canonical: { kind: "native_in_feed" },
      ...displayMetrics,
    },
  ),
  format(
    "native_sponsored_article",
    "Sponsored article",
    "An article that the publisher sets in its own layout and marks as paid.",
    {
      assets: [
        text("headline", "headline", 100),
        asset("article", "markdown", "body_text", { max_length: 10_000 }),
        image(wide, 300),
        landingPage,
      ],
      canonical: { kind: "native_in_feed" },
      ...displayMetrics,
    },
  ),
  format("native_carousel", "Carousel", "Two to ten cards, each with a picture, a headline and a landing page.", {
    assets: [
      {
        item_type: "repeatable_group",
        asset_group_id: "cards",
        required: true,
        min_count: 2,
        max_count: 10,
        selection_mode: "sequential",
        assets: [
          {
            asset_id: "card_image",
            asset_type: "image",
            required: true,
            requirements: { aspect_ratio: "1:1", max_file_size_kb: 300 },
          },
          { asset_id: "card_headline", asset_type: "text", required: true, requirements: { max_length: 40 } },
          { asset_id: "card_url", asset_type: "url", required: true, requirements: { role: "clickthrough" } },
        ],
      },
    ],
    canonical: { kind: "image_carousel" },
    ...displayMetrics,
  }),
]

const banner = { width: 600, height: 200 }
const logo = { width: 200, height: 200 }

export const newsletterFormats: CreativeFormat[] = [
  format(
    "newsletter_banner_600x200",
    "Newsletter banner 600x200",
    "A still picture in the newsletter with one landing page.",
    {
      renders: render(banner),
      assets: [image(banner, 150), landingPage],
      canonical: { kind: "image" },
      ...displayMetrics,
    },
  ),
  format("newsletter_text_ad", "Newsletter text ad", "A headline and a short text, marked as an advertisement.", {
    assets: [
      text("headline", "headline", 60),
      text("body", "body_text", 300),
      text("call_to_action", "cta", 25, false),
      landingPage,
    ],
    canonical: { kind: "native_in_feed" },
    ...displayMetrics,
  }),
  format("newsletter_sponsorship", "Newsletter sponsorship", "Logo, headline and text at the top of one issue.", {
    renders: [{ role: "logo", dimensions: { ...logo, unit: "px" } }],
    assets: [
      image(logo, 100, "logo", "image_main"),
      text("headline", "headline", 60),
      text("body", "body_text", 500),
      landingPage,
    ],
    canonical: { kind: "native_in_feed" },
    ...displayMetrics,
  }),
]
