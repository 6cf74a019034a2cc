import { resolve } from "node:path"
import { SETUP_LINK_MINUTES } from "../../../domain/people/user.ts"
import { Copyable } from "../parts/blocks.tsx"
import { cardPage, type Page } from "../respond.tsx"
import type { Visit } from "../visit.ts"

/** Whether nobody can sign in yet. */
export const isUnclaimed = async ({ context: { store } }: Visit): Promise<boolean> =>
  !(await store.users.hasOperator()) && (await store.users.list()).length === 0

/** The command, as it works in any folder. The address of a database may hold a password, and is not shown. */
function setUpCommand({ context: { config } }: Visit): string {
  const { data, databaseUrl } = config
  return databaseUrl === null ? `adbooth user setup-link --data ${quoted(resolve(data))}` : "adbooth user setup-link"
}

const quoted = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

export function unclaimedPage(visit: Visit, answer: Pick<Page, "status" | "headers"> = {}): Response {
  const command = setUpCommand(visit)
  return cardPage(visit, {
    ...answer,
    title: "Set up",
    heading: "Adbooth is being set up",
    text: "The first operator signs in with a set-up link. The server printed it when it started: look at the terminal or the log. This command prints a new one:",
    body: [
      <Copyable id="setup-command" label="On the server" text={command} />,
      <details>
        <summary class="small">In a container, or as a service?</summary>
        <div class="stack tight">
          <Copyable id="container-command" label="Container" text="docker exec adbooth /adbooth user setup-link" />
          <Copyable id="service-command" label="systemd" text="sudo adbooth user setup-link" />
        </div>
      </details>,
      <p class="hint">
        The link works once, for {SETUP_LINK_MINUTES} minutes. Nobody can sign in until it is used.{" "}
        <a href="/docs">Guides</a>
      </p>,
    ],
  })
}
