import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { asset, DISPLAY_METRICS, format, image, impressionTracker, landingPage, render, text } from "./parts.ts"

const metrics = { reported_metrics: [...DISPLAY_METRICS] }
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
    ...metrics,
  }),
  format(
    "native_content_recommendation",
    "Content recommendation",
    "A square picture and a headline beside the articles.",
    {
      renders: render(square),
      assets: [image(square, 300), text("headline", "headline", 70), landingPage],
      canonical: { kind: "native_in_feed" },
      ...metrics,
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
      ...metrics,
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
    ...metrics,
  }),
]
