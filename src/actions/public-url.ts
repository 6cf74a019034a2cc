import type { Context } from "./context.ts"

/**
 * Where people reach this server, for links: never an unverified Host header. It has no slash at its end.
 */
export function publicUrl({ config, services }: Pick<Context, "config" | "services">): string {
  return config.publicUrl ?? services.https.url() ?? reachable(services.listeningAt())
}

/** Where buyers' agents reach the sales agent. */
export const agentUrl = (context: Pick<Context, "config" | "services">): string =>
  `${context.config.agentUrl ?? publicUrl(context)}/`

/** Browsers can't open the addresses that mean "every address of this machine". */
const reachable = (url: string): string => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
