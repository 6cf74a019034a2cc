import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { DISPLAY_METRICS, format, image, landingPage, render, text } from "./parts.ts"

const metrics = { reported_metrics: [...DISPLAY_METRICS] }
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
      ...metrics,
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
    ...metrics,
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
    ...metrics,
  }),
]
