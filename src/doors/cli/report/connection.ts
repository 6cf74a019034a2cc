import type { CliContext } from "../context.ts"
import { UsageError } from "../usage-error.ts"

const SENDABLE = /^[!-~]+$/

/** The API key in an environment variable. */
export function keyOf({ environment }: CliContext, name: string): string {
  const key = environment[name]?.trim()
  if (!key)
    throw new UsageError(
      `The environment variable ${name} is not set. Put the API key in it, or name another variable with --key-env.`,
    )
  if (SENDABLE.test(key)) return key
  throw new UsageError(
    `The environment variable ${name} does not hold an API key: it has a space, a line break or a special character. Copy the key again.`,
  )
}

/** The address of a server, without a slash at its end. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be an address such as https://ads.example.com; it is "${text}".`)
  }
  // Anything else would be dropped, or break the path that is appended.
  if (url.href !== `${url.origin}${url.pathname}`)
    throw new UsageError("--url must be an address without a user name, a ? or a #, such as https://ads.example.com.")
  return url.href.replace(/\/+$/, "")
}
