import { resolve } from "node:path"
import { SETUP_LINK_MINUTES } from "../../../domain/people/links.ts"
import { page } from "../../page.tsx"
import { Copyable } from "../../parts/copyable.tsx"
import type { Visit } from "../../visit.ts"

/** Replaces the sign-in page until the server has an operator. Says where the set-up link is. */
export const unclaimedPage = (visit: Visit): Response =>
  page(visit, {
    title: "Set up Adbooth",
    intro:
      "The operator of this server starts with a set-up link. The server printed it when it started, so look in the terminal or the log. This command prints a new one:",
    isCard: true,
    body: (
      <>
        <Copyable id="setup-command" label="On the server" text={setUpCommand(visit)} />
        <details>
          <summary>In a container, or as a service?</summary>
          <div class="stack tight">
            <Copyable id="container-command" label="Container" text="docker exec adbooth /adbooth user setup-link" />
            <Copyable id="service-command" label="systemd" text="sudo adbooth user setup-link" />
          </div>
        </details>
        <p class="hint">
          The link works once, for {SETUP_LINK_MINUTES} minutes. <a href="/docs">Guides</a>
        </p>
      </>
    ),
  })

/** The command as it works in any folder. The URL of a database may hold a password, so it isn't shown. */
function setUpCommand({ context: { config } }: Visit): string {
  if (config.databaseUrl !== null) return "adbooth user setup-link"
  return `adbooth user setup-link --data ${quoted(resolve(config.data))}`
}

const quoted = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
