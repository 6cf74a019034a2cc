import type { Config } from "../config.ts"

/** The one spelling of the agent's address that answers carry: what the operator named, else where it listens. */
export function agentAddress({ agentUrl, publicUrl, agentPort }: Config, listening: string): string {
  if (agentUrl !== null) return `${agentUrl}/`
  if (publicUrl === null || agentPort === null) return `${publicUrl ?? listening}/`
  const url = new URL(publicUrl)
  url.port = new URL(listening).port
  return url.href
}
