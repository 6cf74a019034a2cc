import type { Visit } from "../visit.ts"

/** Explains why a link may not begin with the address in the browser. */
export function LinkNote({ visit: { context, origin, url } }: { readonly visit: Visit }) {
  if (context.config.publicUrl !== null || origin === url.origin) return null
  return (
    <p class="hint">
      The link begins with {origin} because this server does not know the name {url.hostname}. If others reach it by
      another address, start it with <code>--public-url</code> and make the link again.
    </p>
  )
}
