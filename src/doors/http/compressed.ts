import { bodyOf } from "./large-body.ts"

// A packet holds this much: anything shorter arrives as fast as it is.
const BYTES_MIN = 1_400
// The fastest: it makes a page four times smaller, and the next level takes twice as long for a tenth more.
const PAGE_LEVEL = 1
const FILE_LEVEL = 9

type Init = { readonly status?: number; readonly headers: Readonly<Record<string, string>> }

/** A page that was made for this request, compressed where its browser asks for that and gains by it. */
export function pageResponse(request: Request, html: string, { status = 200, headers }: Init): Response {
  const all = varied(headers)
  if (html.length < BYTES_MIN || !acceptsGzip(request) || isFromElsewhere(request))
    return new Response(bodyOf(html, request), { status, headers: all })
  return gzipped(bodyOf(Bun.gzipSync(html, { level: PAGE_LEVEL }), request), { status, headers: all })
}

/** Answers with a text that never changes. It is compressed once, when somebody first asks for that. */
export function fileResponder(text: string, { status = 200, headers }: Init): (request: Request) => Response {
  const init = { status, headers: varied(headers) }
  let packed: Uint8Array<ArrayBuffer> | undefined
  return (request) => {
    if (!acceptsGzip(request)) return new Response(bodyOf(text, request), init)
    packed ??= Bun.gzipSync(text, { level: FILE_LEVEL })
    return gzipped(bodyOf(packed, request), init)
  }
}

function varied(headers: Init["headers"]): Record<string, string> {
  const existing = headers["Vary"]
  return { ...headers, Vary: existing === undefined ? "Accept-Encoding" : `${existing}, Accept-Encoding` }
}

const gzipped = (body: BodyInit, { status, headers }: Required<Init>): Response =>
  new Response(body, { status, headers: { ...headers, "Content-Encoding": "gzip" } })

const acceptsGzip = ({ headers }: Request): boolean =>
  (headers.get("accept-encoding") ?? "").split(",").some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

/**
 * Whether another site made the browser ask. It could choose what a page repeats of its address, and an observer of the traffic could
 * guess secrets of the page by its length (BREACH). Browsers say so wherever the traffic is encrypted.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "none"
  return site !== "none" && site !== "same-origin"
}
