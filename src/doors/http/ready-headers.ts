export const REQUEST_ID = "X-Request-Id"

/**
 * The headers of an answer that is given often: those that never change are put together once, those named are set anew for each. A
 * response takes a copy, so that one object does for all of them, at a fraction of what a new one would cost. With the id of
 * the request among them nothing is missing, and the listener leaves them as they are.
 */
export function readyHeaders<Name extends string>(
  standing: Readonly<Record<string, string>>,
): (id: string, changing: Readonly<Record<Name, string>>) => Headers {
  const headers = new Headers(standing)
  return (id, changing) => {
    headers.set(REQUEST_ID, id)
    for (const name in changing) headers.set(name, changing[name])
    return headers
  }
}
