// The last part begins with a letter: an IP address is no domain, and neither is a name without a dot.
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** The rest of a sentence about what is no domain. */
export const DOMAIN_RULE = "such as ads.example.com: no IP address, no name without a dot, no scheme or port"

/** A domain of the internet in small letters; undefined for anything else. */
export function readDomain(text: string): string | undefined {
  const name = text.toLowerCase()
  return DOMAIN.test(name) ? name : undefined
}
