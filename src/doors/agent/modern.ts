import { isObject } from "../../domain/schema/batch.ts"
import { cutText } from "../../domain/text/short-text.ts"
import { INVALID_PARAMS, META_KEYS, METHOD_NOT_FOUND, type RpcFault, type RpcMessage, type RpcRequest } from "./rpc.ts"

// MCP 2026-07-28, beside the older versions: no handshake, and each request says in its `_meta` which version it speaks.

export const MODERN_VERSION = "2026-07-28"

const { version: VERSION, capabilities: CAPABILITIES } = META_KEYS
const HEADER_MISMATCH = -32020
const UNSUPPORTED_VERSION = -32022
const DATED = /^\d{4}-\d{2}-\d{2}$/

const versionIn = ({ headers }: Request) => headers.get("mcp-protocol-version")

/** Whether the header names this version or a later one: the only sign of it before the body is read. */
export function announcesModern(request: Request): boolean {
  const version = versionIn(request) ?? ""
  return DATED.test(version) && version >= MODERN_VERSION
}

const metaIn = (params: unknown) => (isObject(params) && isObject(params["_meta"]) ? params["_meta"] : {})

/** Whether a message is of this version: its body decides, whatever the method. */
export const isModern = (message: RpcMessage) => message.id !== null && Object.hasOwn(metaIn(message.params), VERSION)

export type Refused = Readonly<{ status: number; fault: RpcFault }>

const refused = (code: number, message: string, data?: object): Refused => ({
  status: 400,
  fault: { code, message, ...(data && { data }) },
})

/** Why a request of this version is not answered, in the order of the official server; undefined if it is. */
export function refuseModern(message: RpcRequest, request: Request): Refused | undefined {
  const { [VERSION]: asked, [CAPABILITIES]: capabilities } = metaIn(message.params)
  // What the end of a message said that was cut is unknown.
  if (message.isCut && asked === undefined) return undefined
  if (typeof asked !== "string")
    return refused(INVALID_PARAMS, `params._meta must have "${VERSION}", a text. Supported: ${MODERN_VERSION}`)
  if (!message.isCut && !isObject(capabilities))
    return refused(INVALID_PARAMS, `params._meta must have "${CAPABILITIES}", an object`)
  const announced = versionIn(request)
  if (announced !== null && announced !== asked)
    return mismatch(`MCP-Protocol-Version is not what params._meta says: ${cutText(asked, NAME_CHARACTERS_MAX)}`)
  if (asked !== MODERN_VERSION) {
    const data = { supported: [MODERN_VERSION], requested: cutText(asked, NAME_CHARACTERS_MAX) }
    return refused(UNSUPPORTED_VERSION, "This MCP version is not served here", data)
  }
  return announced === null ? mismatch("MCP-Protocol-Version is missing") : refuseHeaders(message, request)
}

const NAME_CHARACTERS_MAX = 60

const mismatch = (what: string) => refused(HEADER_MISMATCH, `Header mismatch: ${what}`)

/** Headers repeat what the body says, so that proxies need not read it. */
function refuseHeaders({ method, params }: RpcRequest, { headers }: Request): Refused | undefined {
  const named = headers.get("mcp-method")
  if (named === null) return mismatch("Mcp-Method is missing")
  if (named !== method) return mismatch("Mcp-Method is not the method of the body")
  if (!METHODS.has(method)) return { status: 404, fault: { code: METHOD_NOT_FOUND, message: "Method not found" } }
  const name = isObject(params) ? params["name"] : undefined
  if (method !== "tools/call" || typeof name !== "string") return undefined
  const sent = headers.get("mcp-name")
  if (sent === null) return mismatch("Mcp-Name is missing")
  return decoded(sent.trim()) === name ? undefined : mismatch("Mcp-Name is not the name of the body")
}

const METHODS = new Set(["server/discover", "tools/list", "tools/call"])
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

/** The text of a header, which may be encoded; undefined where it claims to be, and is not. */
function decoded(text: string): string | undefined {
  if (!text.startsWith("=?base64?") || !text.endsWith("?=")) return text
  const [, base64] = ENCODED.exec(text) ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, "base64").toString("utf8")
}

// The same for all callers; a switch that adds a tool is noticed after so long.
const CACHED = { ttlMs: 300_000, cacheScope: "public" }

/** What the methods beside tools/call answer. */
export function modernResult(method: string, instructions: string, tools: readonly object[]): object {
  if (method === "tools/list") return { tools, ...CACHED }
  return { supportedVersions: [MODERN_VERSION], capabilities: { tools: {} }, instructions, ...CACHED }
}
