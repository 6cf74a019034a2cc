import { PLAIN_PRODUCT } from "../../harness/agent/agent.ts"

/** The address that stands for our own agent in these tests. */
export const AGENT_URL = "https://agent.example/"

export { PLAIN_PRODUCT }

export const PLAIN_FORMAT = { format_id: { id: "banner" }, name: "Banner", canonical: { kind: "image" } }

const REFERENCES = new Set(["format_ids", "format_id", "input_format_ids", "output_format_ids"])

/** The document with the agent's address in our own references, as the wire shows them. */
export function addressed(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => addressed(item, name))
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, addressed(field, key)]))
  return REFERENCES.has(name) && !("agent_url" in copy) ? { agent_url: AGENT_URL, ...copy } : copy
}
