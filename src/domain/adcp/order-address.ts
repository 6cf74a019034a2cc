/**
 * Where links to order begin. Official clients replace the text of the agent's address in every string, so that it must not be in a link:
 * then the same address is written with its port, or with a zero before it. Browsers and clients read both as the address itself.
 */
export function orderAddress(start: string, agentUrl: string): string {
  if (!start.includes(agentUrl)) return start
  const { protocol, hostname, port, pathname } = new URL(start)
  const written = port === "" ? { "http:": "80", "https:": "443" }[protocol] : `0${port}`
  return `${protocol}//${hostname}:${written}${pathname}`
}
