import uplotScript from "uplot/dist/uPlot.iife.min.js" with { type: "text" }
import uplotCss from "uplot/dist/uPlot.min.css" with { type: "text" }
import { hashToken } from "../../domain/keys/token.ts"
import blocks from "./blocks.css" with { type: "text" }
import chartsScript from "./client/charts.client.js" with { type: "text" }
import copyScript from "./client/copy.client.js" with { type: "text" }
import figures from "./figures.css" with { type: "text" }
import forms from "./forms.css" with { type: "text" }
import operatorStyle from "./operator/operator.css" with { type: "text" }
import style from "./style.css" with { type: "text" }

type Asset = Readonly<{ path: string; text: string; type: string }>

// The name changes with the content, so that browsers can cache a file forever and never use an old one.
function assetOf(name: string, ending: "css" | "js", text: string): Asset {
  const type = ending === "css" ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
  return { path: `/app/assets/${name}-${hashToken(text).slice(0, 12)}.${ending}`, text, type }
}

export const STYLE = assetOf("style", "css", [uplotCss, style, blocks, forms, figures, operatorStyle].join("\n"))
export const COPY_SCRIPT = assetOf("copy", "js", copyScript)
export const CHARTS_SCRIPT = assetOf("charts", "js", `${uplotScript}\n${chartsScript}`)

const assets = new Map([STYLE, COPY_SCRIPT, CHARTS_SCRIPT].map((one) => [one.path, one]))

export function asset(name: string): Response {
  const found = assets.get(`/app/assets/${name}`)
  if (found === undefined) return new Response("Not found\n", { status: 404 })
  return new Response(found.text, {
    headers: { "Content-Type": found.type, "Cache-Control": "public, max-age=31536000, immutable" },
  })
}
