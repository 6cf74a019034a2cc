import { version } from "../../package.json"
import { cutText } from "../domain/adcp/text.ts"
import { isObject } from "../domain/schema/explain.ts"
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcRefused, type RpcRequest } from "./rpc.ts"

// MCP 2026-07-28, beside the older revisions: no handshake, and each request says in its `_meta` which version it is.

export const MODERN_VERSION = "2026-07-28"

const VERSION = "io.modelcontextprotocol/protocolVersion"
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
const SERVER_INFO = "io.modelcontextprotocol/serverInfo"

const HEADER_MISMATCH = -32_020
const UNSUPPORTED_VERSION = -32_022
const NAME_CHARACTERS_MAX = 60

const versionIn = ({ headers }: Request) => headers.get("mcp-protocol-version")

/** Whether the header names this version or a later one. Before the body is read, it's the only sign. */
export function announcesModern(request: Request): boolean {
  const announced = versionIn(request) ?? ""
  return /^\d{4}-\d{2}-\d{2}$/.test(announced) && announced >= MODERN_VERSION
}

function metaOf(params: unknown): Readonly<Record<string, unknown>> {
  const meta = isObject(params) ? params["_meta"] : undefined
  return isObject(meta) ? meta : {}
}

/** The body decides, whatever the method. */
export const isModern = ({ params }: RpcRequest): boolean => Object.hasOwn(metaOf(params), VERSION)

/** Refuses a request that breaks a rule of this version, in the order of the official server. */
export function checkModern(message: RpcRequest, request: Request): void {
  const { [VERSION]: asked, [CAPABILITIES]: capabilities } = metaOf(message.params)
  if (typeof asked !== "string")
    throw refused(INVALID_PARAMS, `params._meta must have "${VERSION}", a text. Supported: ${MODERN_VERSION}`)
  if (!isObject(capabilities)) throw refused(INVALID_PARAMS, `params._meta must have "${CAPABILITIES}", an object`)
  const announced = versionIn(request)
  const requested = cutText(asked, NAME_CHARACTERS_MAX)
  if (announced !== null && announced !== asked)
    throw mismatch(`MCP-Protocol-Version isn't what params._meta says: ${requested}`)
  if (asked !== MODERN_VERSION) {
    const data = { supported: [MODERN_VERSION], requested }
    throw refused(UNSUPPORTED_VERSION, "This MCP version isn't served here", data)
  }
  if (announced === null) throw mismatch("MCP-Protocol-Version is missing")
  checkHeaders(message, request)
}

const refused = (code: number, message: string, data?: object) =>
  new RpcRefused(400, { code, message, ...(data && { data }) })

const mismatch = (what: string) => refused(HEADER_MISMATCH, `Header mismatch: ${what}`)

const METHODS = ["server/discover", "tools/list", "tools/call"]

/** Headers repeat what the body says, so that proxies needn't read it. */
function checkHeaders({ method, params }: RpcRequest, { headers }: Request): void {
  const named = headers.get("mcp-method")
  if (named === null) throw mismatch("Mcp-Method is missing")
  if (named !== method) throw mismatch("Mcp-Method isn't the method of the body")
  if (!METHODS.includes(method)) throw new RpcRefused(404, { code: METHOD_NOT_FOUND, message: "Method not found" })
  const name = isObject(params) ? params["name"] : undefined
  if (method !== "tools/call" || typeof name !== "string") return
  const sent = headers.get("mcp-name")
  if (sent === null) throw mismatch("Mcp-Name is missing")
  if (decoded(sent.trim()) !== name) throw mismatch("Mcp-Name isn't the name of the body")
}

const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

/** The text of a header, which may be encoded. Null if it claims to be, and isn't. */
function decoded(text: string): string | null {
  if (!text.startsWith("=?base64?") || !text.endsWith("?=")) return text
  const base64 = ENCODED.exec(text)?.[1]
  return base64 === undefined ? null : Buffer.from(base64, "base64").toString()
}

/** The same for all callers. Clients ask again after this time, so they notice when the operator turns a tool on. */
const CACHED = { ttlMs: 300_000, cacheScope: "public" }

/** What the methods besides tools/call answer. */
export function modernAnswer(method: string, instructions: string, tools: readonly object[]): object {
  if (method === "tools/list") return { tools, ...CACHED }
  return { supportedVersions: [MODERN_VERSION], capabilities: { tools: {} }, instructions, ...CACHED }
}

/** What this version wants around every result. */
export const modernResult = (result: object): object => ({
  resultType: "complete",
  ...result,
  _meta: { [SERVER_INFO]: { name: "adbooth", version } },
})
