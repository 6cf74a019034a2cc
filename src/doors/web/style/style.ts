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

// The order of the layers decides what wins, not the order of the files. Within the components, later files are more special.
const LAYERS = "@layer reset, tokens, elements, components, utilities;\n"
const COMPONENTS = [frame, controls, tables, figures, pages, guides]

/** The one style sheet of the app. */
export const STYLE_TEXT = [LAYERS, reset, tokens, elements, ...COMPONENTS, utilities].join("")
