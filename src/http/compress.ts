// A packet holds this much, so compressing a shorter body saves no time.
const BYTES_MIN = 1_400
// The fastest level makes a page four times smaller.
const LEVEL = 1
const COMPRESSED_TYPE = /^(text\/(html|css|javascript)|image\/svg\+xml|application\/json)/

/** Compresses a page, a style sheet or a script if its browser asks for it. Downloads and streams pass as they are. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  if (!COMPRESSED_TYPE.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return response
  headers.append("Vary", "Accept-Encoding")
  if (!acceptsGzip(request) || isFromElsewhere(request) || headers.has("content-disposition")) return response
  const body = await response.bytes()
  if (body.length < BYTES_MIN) return new Response(body, { status, headers })
  headers.set("Content-Encoding", "gzip")
  headers.delete("Content-Length")
  return new Response(Bun.gzipSync(body, { level: LEVEL }), { status, headers })
}

const acceptsGzip = ({ headers }: Request): boolean =>
  (headers.get("accept-encoding") ?? "").split(",").some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/**
 * Whether another site caused the request. That site could choose text that the page repeats, and guess secrets in the
 * page from its length (BREACH). Browsers name the site wherever the traffic is encrypted.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "none"
  return site !== "none" && site !== "same-origin"
}
