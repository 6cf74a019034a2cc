import type { AppParts } from "./app-parts.ts"
import type { BackupKeeper } from "./backup-keeper.ts"
import { signInPace } from "./domain/sign-in-pace.ts"
import { frame } from "./doors/http/frame.ts"
import type { Handle } from "./doors/http/lazy-door.ts"
import { webDoor } from "./doors/web/index.ts"
import { linkOrigins } from "./own-addresses.ts"

/** The pages of the app with everything they need. `listening` is asked for once the server listens. */
export function openWeb(parts: AppParts, backups: BackupKeeper, listening: () => string): Handle {
  const linkOrigin = linkOrigins(parts.config, listening)
  return frame(parts.log).use(webDoor({ ...parts, backups, linkOrigin, signInPace: signInPace(randomSeed(parts)) }))
    .fetch
}

function randomSeed({ random }: AppParts): number {
  return random(4).reduce((seed, byte) => seed * 256 + byte, 0)
}
