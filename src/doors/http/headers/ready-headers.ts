export const REQUEST_ID = "X-Request-Id"

/**
 * Complete headers for frequent responses, faster than setting each: the fixed ones are copied as a whole. The request id marks them as
 * complete, so that the listener adds nothing (docs/decisions/0006).
 */
export function readyHeaders<Name extends string>(
  fixed: Readonly<Record<string, string>>,
): (id: string, changing: Readonly<Record<Name, string>>) => Headers {
  const base = new Headers(fixed)
  return (id, changing) => {
    const headers = new Headers(base)
    headers.set(REQUEST_ID, id)
    for (const name in changing) headers.set(name, changing[name])
    return headers
  }
}
