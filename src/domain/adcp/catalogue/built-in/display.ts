import type { CreativeFormat } from "../../schema/format/creative-format.ts"

type Assets = NonNullable<CreativeFormat["assets"]>
type Asset = Assets[number]
type Renders = NonNullable<CreativeFormat["renders"]>

export type Size = Record<"width" | "height", number>

type Metrics = NonNullable<CreativeFormat["reported_metrics"]>
type FormatKind = NonNullable<CreativeFormat["canonical"]>["kind"]

const IMAGE_FILES = ["jpg", "png", "gif", "webp"] as const

/** What formats of a kind have in common: what they are in AdCP's own terms, and what is reported of them. */
export type Family = Readonly<{ canonical: NonNullable<CreativeFormat["canonical"]>; metrics: Metrics }>

export const family = (kind: FormatKind, ...metrics: Metrics): Family => ({ canonical: { kind }, metrics })

/** `about` is its id, its name and its description. */
export function format(
  about: string,
  { canonical, metrics }: Family,
  assets: Assets,
  shape: Pick<CreativeFormat, "renders" | "accepts_parameters"> = {},
): CreativeFormat {
  const [id = "", name = "", description = ""] = about.split(" | ")
  return { format_id: { id }, name, description, ...shape, assets, canonical, reported_metrics: metrics }
}

const displayed = (kind: FormatKind) => family(kind, "impressions", "clicks", "ctr")
const PICTURE = displayed("image")
const HTML5 = displayed("html5")
const TAG = displayed("display_tag")
const NATIVE = displayed("native_in_feed")
const CAROUSEL = displayed("image_carousel")

export function render(size: Size, unit: "px" | "mm" = "px", role = "primary"): { renders: Renders } {
  return { renders: [{ role, dimensions: { ...size, unit } }] }
}

export function asset(id: string, type: string, group: string, requirements?: object, required = true): Asset {
  const shared = { item_type: "individual", asset_id: id, asset_type: type, asset_group_id: group, required }
  return (requirements ? { ...shared, requirements } : shared) as Asset
}

export function exactly({ width, height }: Size) {
  return { min_width: width, max_width: width, min_height: height, max_height: height }
}

export const image = (size: Size, kilobytes: number, id = "banner_image", group = "image_main"): Asset =>
  asset(id, "image", group, {
    ...exactly(size),
    formats: [...IMAGE_FILES],
    max_file_size_kb: kilobytes,
    animation_allowed: true,
    max_animation_duration_ms: 30_000,
  })

export const text = (id: string, group: string, longest: number, required = true): Asset =>
  asset(id, "text", group, { max_length: longest }, required)

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

function picture(width: number, height: number, name: string): CreativeFormat {
  const size = { width, height }
  const about = `A picture of ${width} by ${height} pixels with one landing page.`
  return format(
    `display_${width}x${height}_image | ${name} ${width}x${height} (image) | ${about}`,
    PICTURE,
    [image(size, 200), landingPage, impressionTracker],
    render(size),
  )
}

function html5(width: number, height: number, name: string): CreativeFormat {
  const size = { width, height }
  const about = `An HTML5 banner in one document, of ${width} by ${height} pixels with a backup picture.`
  const limits = { max_file_size_kb: 300, external_resources_allowed: false }
  return format(
    `display_${width}x${height}_html5 | ${name} ${width}x${height} (HTML5) | ${about}`,
    HTML5,
    [
      asset("html5_banner", "html", "html5_banner", limits),
      image(size, 200, "backup_image", "backup_image"),
      landingPage,
    ],
    render(size),
  )
}

const sizeOfId: Partial<CreativeFormat> = {
  accepts_parameters: ["dimensions"],
  renders: [{ role: "primary", parameters_from_format_id: true }],
}

export const displayFormats: CreativeFormat[] = [
  ...sizes.map((size) => picture(...size)),
  ...sizes.filter(([width, height]) => html5Sizes.has(`${width}x${height}`)).map((size) => html5(...size)),
  format(
    "display_image | Display picture, any size | A picture in the size that the format_id names.",
    PICTURE,
    [asset("banner_image", "image", "image_main", { max_file_size_kb: 200 }), landingPage, impressionTracker],
    sizeOfId,
  ),
  format(
    "display_tag | Third-party display tag, any size | A JavaScript tag in the size that the format_id names.",
    TAG,
    [asset("tag", "javascript", "tag", { external_resources_allowed: true })],
    sizeOfId,
  ),
]

const wide = { width: 1200, height: 627 }
const square = { width: 1080, height: 1080 }
const headline = text("headline", "headline", 70)

const card = (name: string, type: string, requirements: object) =>
  ({ asset_id: `card_${name}`, asset_type: type, required: true, requirements }) as const

const cards = {
  item_type: "repeatable_group",
  asset_group_id: "cards",
  required: true,
  min_count: 2,
  max_count: 10,
  selection_mode: "sequential",
  assets: [
    card("image", "image", { aspect_ratio: "1:1", max_file_size_kb: 300 }),
    card("headline", "text", { max_length: 40 }),
    card("url", "url", { role: "clickthrough" }),
  ],
} as Asset

export const nativeFormats: CreativeFormat[] = [
  format(
    "native_in_feed | Native in feed | Picture, headline and text in the look of the page.",
    NATIVE,
    [
      image(wide, 300),
      headline,
      text("body", "body_text", 150, false),
      text("sponsor", "brand_name", 25),
      landingPage,
      impressionTracker,
    ],
    render(wide),
  ),
  format(
    "native_content_recommendation | Content recommendation | A square picture and a headline beside the articles.",
    NATIVE,
    [image(square, 300), headline, landingPage],
    render(square),
  ),
  format(
    "native_sponsored_article | Sponsored article | An article that the publisher sets in its own layout and marks as paid.",
    NATIVE,
    [
      text("headline", "headline", 100),
      asset("article", "markdown", "body_text", { max_length: 10_000 }),
      image(wide, 300),
      landingPage,
    ],
  ),
  format(
    "native_carousel | Carousel | Two to ten cards, each with a picture, a headline and a landing page.",
    CAROUSEL,
    [cards],
  ),
]

const banner = { width: 600, height: 200 }
const logo = { width: 200, height: 200 }
const shortHeadline = text("headline", "headline", 60)

export const newsletterFormats: CreativeFormat[] = [
  format(
    "newsletter_banner_600x200 | Newsletter banner 600x200 | A still picture in the newsletter with one landing page.",
    PICTURE,
    [image(banner, 150), landingPage],
    render(banner),
  ),
  format("newsletter_text_ad | Newsletter text ad | A headline and a short text, marked as an advertisement.", NATIVE, [
    shortHeadline,
    text("body", "body_text", 300),
    text("call_to_action", "cta", 25, false),
    landingPage,
  ]),
  format(
    "newsletter_sponsorship | Newsletter sponsorship | Logo, headline and text at the top of one issue.",
    NATIVE,
    [image(logo, 100, "logo", "image_main"), shortHeadline, text("body", "body_text", 500), landingPage],
    render(logo, "px", "logo"),
  ),
]
