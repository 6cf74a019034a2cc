export const REQUEST_ID = "X-Request-Id"

/**
 * All headers of an answer that is given often, in one go: those that never change are copied as a whole. With the id of the request
 * among them nothing is missing, and the listener leaves them as they are.
 */
export function readyHeaders<Name extends string>(
  unchanging: Readonly<Record<string, string>>,
): (id: string, changing: Readonly<Record<Name, string>>) => Headers {
  const standing = new Headers(unchanging)
  return (id, changing) => {
    const headers = new Headers(standing)
    headers.set(REQUEST_ID, id)
    for (const name in changing) headers.set(name, changing[name])
    return headers
  }
}
