import { BASES } from "../../../domain/campaign/pricing-basis.ts"
import controls from "./components/controls.css" with { type: "text" }
import figures from "./components/figures.css" with { type: "text" }
import frame from "./components/frame.css" with { type: "text" }
import guides from "./components/guides.css" with { type: "text" }
import pages from "./components/pages.css" with { type: "text" }
import tables from "./components/tables.css" with { type: "text" }
import elements from "./elements.css" with { type: "text" }
import reset from "./reset.css" with { type: "text" }
import tokens from "./tokens.css" with { type: "text" }
import utilities from "./utilities.css" with { type: "text" }

// The words of a basis that is not chosen.
const bases = BASES.map(
  (basis) => `form:has([name="pricing_basis"]):not(:has([value="${basis}"]:checked)) .if-${basis} { display: none }\n`,
)

// What wins is decided by the order of the layers. Within the components, later files are more special.
const LAYERS = {
  reset: [reset],
  tokens: [tokens],
  elements: [elements],
  components: [frame, controls, tables, figures, pages, ...bases, guides],
  utilities: [utilities],
}

export const STYLE_TEXT = Object.entries(LAYERS)
  .map(([name, files]) => `@layer ${name} {\n${files.join("")}}\n`)
  .join("")
