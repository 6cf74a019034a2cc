/** Revisions of MCP whose clients connect, newest first. Those of the last one fall back to `initialize` after `server/discover`. */
export const MCP_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]
const MODERN = "2026-07-28"

const KNOWN = new Set([...MCP_REVISIONS, MODERN])

/** False for a revision that MCP does not have. A missing header is fine. */
export function isKnownRevision({ headers }: Request): boolean {
  const revision = headers.get("mcp-protocol-version")
  return revision === null || revision === "" || KNOWN.has(revision)
}
