import type { Context } from "../../actions/context.ts"
import type { Config } from "../../config.ts"
import type { SignInPace } from "../../domain/sign-in-pace.ts"
import type { Log } from "../../log.ts"

/** What the pages work with. */
export interface WebContext extends Context {
  readonly config: Config
  readonly log: Log
  readonly signInPace: SignInPace
  readonly diskFreeBytes: (directory: string) => Promise<number>
}
