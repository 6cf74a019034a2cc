import { readFileSync } from "node:fs"
import figtreeLicence from "@fontsource-variable/figtree/LICENSE" with { type: "text" }
import geistMonoLicence from "@fontsource-variable/geist-mono/LICENSE" with { type: "text" }
import figtreeExtended from "../../../node_modules/@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2" with {
  type: "file",
}
// Embedded in the executable: no page loads anything from elsewhere.
import figtree from "../../../node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2" with {
  type: "file",
}
import geistMono from "../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2" with {
  type: "file",
}
import { hashToken } from "../../domain/keys/api-key.ts"
import { fileResponder } from "../http/compressed.ts"
import appScript from "./client/app.client.js" with { type: "text" }
import chartsScript from "./client/charts.client.js" with { type: "text" }
import { STYLE_TEXT } from "./style/style.ts"

const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  woff2: "font/woff2",
} as const

// The name changes with the content, so that browsers can cache a file forever and never use an old one.
function assetOf(name: string, ending: keyof typeof TYPES, body: string | Uint8Array<ArrayBuffer>) {
  const text = typeof body === "string" ? body : body.toBase64()
  const headers = { "Content-Type": TYPES[ending], "Cache-Control": "public, max-age=31536000, immutable" }
  const path = `/app/assets/${name}-${hashToken(text).slice(0, 12)}.${ending}`
  // Fonts are compressed as they are.
  return {
    path,
    respond: typeof body === "string" ? fileResponder(body, { headers }) : () => new Response(body, { headers }),
  }
}

const fontOf = (name: string, file: string) => assetOf(name, "woff2", new Uint8Array(readFileSync(file)))

export const FONT = fontOf("figtree", figtree)
const FONT_EXTENDED = fontOf("figtree-extended", figtreeExtended)
const MONO = fontOf("geist-mono", geistMono)
const LICENCES = assetOf("font-licences", "txt", `${figtreeLicence}\n\n${geistMonoLicence}`)

const FACES = `/* Licences of the fonts: ${LICENCES.path} */
@font-face{font-family:Figtree;font-weight:300 900;font-display:swap;src:url(${FONT_EXTENDED.path});unicode-range:U+100-2BA,U+1E00-1EFF,U+20A0-20C0}
@font-face{font-family:Figtree;font-weight:300 900;font-display:swap;src:url(${FONT.path});unicode-range:U+0-FF,U+131,U+152-153,U+2000-206F,U+20AC,U+2122,U+2190-2215}
@font-face{font-family:"Geist Mono";font-weight:100 900;font-display:swap;src:url(${MONO.path})}
`

export const STYLE = assetOf("style", "css", FACES + STYLE_TEXT)

// In a block of its own: a page that is written over another one, as after a refused upload, runs it again among the same names.
const scriptOf = (name: string, text: string) => assetOf(name, "js", `{\n${text}}\n`)

export const APP_SCRIPT = scriptOf("app", appScript)
export const CHARTS_SCRIPT = scriptOf("charts", chartsScript)

const assets = new Map(
  [STYLE, APP_SCRIPT, CHARTS_SCRIPT, FONT, FONT_EXTENDED, MONO, LICENCES].map((entry) => [entry.path, entry]),
)

export function asset(name: string, request: Request): Response {
  const file = assets.get(`/app/assets/${name}`)
  return file?.respond(request) ?? new Response("Not found\n", { status: 404 })
}
