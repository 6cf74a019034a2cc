import { bodyOf } from "./large-body.ts"

// A packet holds this much: anything shorter arrives as fast as it is.
const BYTES_MIN = 1_400
// The fastest: it makes a page four times smaller, and the next level takes twice as long for a tenth more.
const PAGE_LEVEL = 1
const FILE_LEVEL = 9

type Init = { readonly status?: number; readonly headers: Readonly<Record<string, string>> }

/** A page that was made for this request, compressed where its browser asks for that and gains by it. */
export function pageResponse(request: Request, html: string, { status = 200, headers }: Init): Response {
  const existing = headers["Vary"]
  const all = { ...headers, Vary: existing === undefined ? "Accept-Encoding" : `${existing}, Accept-Encoding` }
  if (html.length < BYTES_MIN || !acceptsGzip(request) || isFromElsewhere(request))
    return new Response(bodyOf(html), { status, headers: all })
  return gzipped(Bun.gzipSync(html, { level: PAGE_LEVEL }), { status, headers: all })
}

/** Answers with a text that never changes. It is compressed once, when somebody first asks for that. */
export function fileResponder(text: string, headers: Readonly<Record<string, string>>): (request: Request) => Response {
  const init = { status: 200, headers: { ...headers, Vary: "Accept-Encoding" } }
  let packed: Uint8Array<ArrayBuffer> | undefined
  return (request) => {
    if (!acceptsGzip(request)) return new Response(text, init)
    packed ??= Bun.gzipSync(text, { level: FILE_LEVEL })
    return gzipped(packed, init)
  }
}

function gzipped(body: Uint8Array<ArrayBuffer>, { status, headers }: Required<Init>): Response {
  return new Response(bodyOf(body), { status, headers: { ...headers, "Content-Encoding": "gzip" } })
}

function acceptsGzip({ headers }: Request): boolean {
  return (headers.get("accept-encoding") ?? "").split(",").some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

/**
 * Whether another site made the browser ask. It could choose what a page repeats of its address, and whoever sees the traffic could
 * guess secrets of the page by its length (BREACH). Browsers say so wherever the traffic is encrypted.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "none"
  return site !== "none" && site !== "same-origin"
}
