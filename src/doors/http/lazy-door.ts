export type Handle = (request: Request) => Response | Promise<Response>

/** A door whose code is loaded with its first request: the server listens sooner, and takes less memory where nobody comes this way. */
export function lazyDoor(load: () => Promise<Handle>): Handle {
  let opened: Handle | undefined
  let loading: Promise<Handle> | undefined

  async function open(): Promise<Handle> {
    loading ??= load()
    opened = await loading
    return opened
  }

  return (request) => (opened === undefined ? open().then((handle) => handle(request)) : opened(request))
}
