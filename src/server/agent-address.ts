import type { Config } from "../config.ts"

/** The agent's address in answers: the configured one, else where it listens. */
export function agentAddress({ agentUrl, publicUrl, agentPort }: Config, listening: string): string {
  if (agentUrl !== null) return `${agentUrl}/`
  if (publicUrl === null || agentPort === null) return `${publicUrl ?? listening}/`
  const url = new URL(publicUrl)
  url.port = new URL(listening).port
  return url.href
}
