/**
 * The address of this server without a path, spelled so that it doesn't contain the agent's URL: official clients
 * replace that URL in every string. Browsers read both spellings as the same address.
 */
export function addressBeside(agentUrl: string): string {
  const { protocol, hostname, port } = new URL(agentUrl)
  const standardPort = protocol === "https:" ? "443" : "80"
  return `${protocol}//${hostname}:${port === "" ? standardPort : `0${port}`}`
}
