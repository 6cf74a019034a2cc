export type Handle = (request: Request) => Response | Promise<Response>

export interface LazyDoor {
  readonly handle: Handle
  /** Loads it now, so that the first request does not wait. */
  open(): Promise<void>
}

/** A door whose code is loaded on first use or by `open`, so that the server listens sooner. */
export function lazyDoor(load: () => Promise<Handle>): LazyDoor {
  let opened: Handle | undefined
  let opening: Promise<Handle> | undefined

  async function open(): Promise<Handle> {
    opening ??= load()
    opened = await opening
    return opened
  }

  return {
    handle: (request) => (opened === undefined ? open().then((handle) => handle(request)) : opened(request)),
    open: async () => void (await open()),
  }
}
