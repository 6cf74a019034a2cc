import { type Failure, failure } from "../../../domain/failure.ts"
import { parseJson } from "../../../domain/schema/exact-json.ts"
import { type BodyLimits, readBody } from "./read-body.ts"

const UTF8 = new TextDecoder("utf-8", { fatal: true })

/** Refuses a body that is not declared as uncompressed JSON. Parameters such as `charset` are ignored. */
export function wrongContentType(request: Request): Failure | undefined {
  const type = request.headers.get("content-type") ?? ""
  if (type !== "application/json" && !/^application\/json\s*(?:;|$)/i.test(type)) {
    return failure("unsupported_media_type", "Send the header Content-Type: application/json.")
  }
  const encoding = request.headers.get("content-encoding")
  if (encoding === null || encoding.toLowerCase() === "identity") return undefined
  const detail = "Compressed bodies are not supported. Send the body uncompressed, without Content-Encoding."
  return failure("unsupported_media_type", detail, { "Accept-Encoding": "identity" })
}

/** The parsed JSON body, or why it was refused. */
export async function readJson(request: Request, limits: BodyLimits): Promise<{ value: unknown } | Failure> {
  const bytes = await readBody(request, limits)
  if (!(bytes instanceof Uint8Array)) return bytes
  const value = parseJson(decode(bytes))
  return value === undefined ? failure("invalid_json", "The body must be valid JSON in UTF-8.") : { value }
}

/** Invalid UTF-8 becomes "", which is not JSON. */
function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return ""
  }
}
