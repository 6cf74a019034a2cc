import type { CreativeFormat } from "../../schema/creative-format.ts"
import { PICTURE } from "./display.ts"
import { type Asset, asset, family, fixedSize, format, IMPRESSION_TRACKER, image, LANDING_PAGE, text } from "./parts.ts"

const NATIVE = family("native_in_feed", "impressions", "clicks", "ctr")
const CAROUSEL = family("image_carousel", "impressions", "clicks", "ctr")

const WIDE = { width: 1_200, height: 627 }
const SQUARE = { width: 1_080, height: 1_080 }
const BANNER = { width: 600, height: 200 }
const LOGO = { width: 200, height: 200 }

const card = (name: string, type: string, requirements: object) => ({
  asset_id: `card_${name}`,
  asset_type: type,
  required: true,
  requirements,
})

const CARDS = {
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

export const NATIVE_FORMATS: readonly CreativeFormat[] = [
  format(
    {
      id: "native_in_feed",
      name: "Native in feed",
      description: "Picture, headline and text in the look of the page.",
    },
    NATIVE,
    [
      image(WIDE, 300),
      text("headline", "headline", 70),
      text("body", "body_text", 150, true),
      text("sponsor", "brand_name", 25),
      LANDING_PAGE,
      IMPRESSION_TRACKER,
    ],
    fixedSize(WIDE),
  ),
  format(
    {
      id: "native_content_recommendation",
      name: "Content recommendation",
      description: "A square picture and a headline beside the articles.",
    },
    NATIVE,
    [image(SQUARE, 300), text("headline", "headline", 70), LANDING_PAGE],
    fixedSize(SQUARE),
  ),
  format(
    {
      id: "native_sponsored_article",
      name: "Sponsored article",
      description: "An article that the publisher sets in its own layout and marks as paid.",
    },
    NATIVE,
    [
      text("headline", "headline", 100),
      asset("article", "markdown", "body_text", { requirements: { max_length: 10_000 } }),
      image(WIDE, 300),
      LANDING_PAGE,
    ],
  ),
  format(
    {
      id: "native_carousel",
      name: "Carousel",
      description: "Two to ten cards, each with a picture, a headline and a landing page.",
    },
    CAROUSEL,
    [CARDS],
  ),
]

export const NEWSLETTER_FORMATS: readonly CreativeFormat[] = [
  format(
    {
      id: "newsletter_banner_600x200",
      name: "Newsletter banner 600x200",
      description: "A still picture in the newsletter with one landing page.",
    },
    PICTURE,
    [image(BANNER, 150), LANDING_PAGE],
    fixedSize(BANNER),
  ),
  format(
    {
      id: "newsletter_text_ad",
      name: "Newsletter text ad",
      description: "A headline and a short text, marked as an advertisement.",
    },
    NATIVE,
    [
      text("headline", "headline", 60),
      text("body", "body_text", 300),
      text("call_to_action", "cta", 25, true),
      LANDING_PAGE,
    ],
  ),
  format(
    {
      id: "newsletter_sponsorship",
      name: "Newsletter sponsorship",
      description: "Logo, headline and text at the top of one issue.",
    },
    NATIVE,
    [
      image(LOGO, 100, "logo", "image_main"),
      text("headline", "headline", 60),
      text("body", "body_text", 500),
      LANDING_PAGE,
    ],
    fixedSize(LOGO, "px", "logo"),
  ),
]
