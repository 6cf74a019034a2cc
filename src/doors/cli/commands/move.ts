import { passwordWarning } from "../../../config.ts"
import { withoutSignIn } from "../../../domain/operations/setting.ts"
import { readText } from "../../../files/read-text.ts"
import type { Moved, MoveOptions } from "../../../storage/port/copies.ts"
import { UsageError } from "../arguments.ts"
import { command, says } from "../command.ts"
import type { CliContext } from "../context.ts"
import type { Io } from "../io.ts"

const LOOK_AGAIN_SECONDS = 1

const ABOUT = "copy everything between a data directory and PostgreSQL, either way, and verify the copy"
export const moveCommand = command("move", ABOUT, {
  summary: "move everything between a directory and PostgreSQL",
  needs: { "--from <PLACE>": "where everything is now; only read", "--to <PLACE>": "an empty place to copy it to" },
  notes: [
    "A PLACE is a data directory, a URL such as postgres://user@host/database, or says where the URL is, so that its password is in no process list: env:NAME (an environment variable) or file:PATH.",
    "Stop every server and command that uses --from when the move asks for it: everything is copied after that, so that nothing is left behind. A million reports take some 15 seconds. Then start the server on the new place. If the move fails or is interrupted, nothing is kept at --to: run it again.",
  ],
  examples: [
    ["move --from ./data --to env:ADBOOTH_DATABASE_URL", "into PostgreSQL"],
    ["move --from file:/run/secrets/database-url --to ./data", "and back"],
  ],
  async run({ cli, options }) {
    const [from, to] = [placeOf(cli, "--from", options.from), placeOf(cli, "--to", options.to)]
    const progress = moveProgress(cli.io)
    const how: MoveOptions = {
      progress: progress.rows,
      async waitUntilFree(whoUsesIt) {
        progress.say(
          `${whoUsesIt}. Nothing is copied yet. Stop every server on --from: the copy begins as soon as nobody uses it, and the server stays away until its end. A million reports take some 15 seconds.`,
        )
        await cli.wait(LOOK_AGAIN_SECONDS)
      },
      begins: () =>
        progress.say(
          "Nobody uses --from now. The copy begins. It stays locked until the end; do not start a server on it again.",
        ),
    }
    const moved = await cli.move(from, to, how).finally(progress.end)
    return says(moved, asText(moved))
  },
})

const VERBS: Readonly<Record<string, string>> = { copy: "Copying", check: "Checking" }

/** How far a copy is, on a terminal; elsewhere only the sentences. */
function moveProgress(io: Io) {
  const draw = (text: string) => io.isTerminal && io.drawLine(text)
  let said = ""
  return {
    rows: (step: string, table: string, rows: number) =>
      void draw(`${VERBS[step] ?? step} ${table}: ${rows.toLocaleString("en")} rows`),
    /** Says something, unless it was the last thing said. */
    say(text: string): void {
      if (text === said) return
      said = text
      draw("")
      io.err(`${text}\n`)
    },
    end: () => void draw(""),
  }
}

// Of a database, though not as we read one.
const IS_ADDRESS = /^\w[\w+.-]*:\/\/|^postgres(?:ql)?:|password\s*=/i

function placeOf({ environment, io }: CliContext, option: string, given: string): string {
  for (const warning of passwordWarning(option, given)) io.err(`${warning}\n`)
  const [, kind, name = ""] = /^(env|file):(.*)$/s.exec(given) ?? []
  const place = kind === undefined ? given : kind === "env" ? (environment[name] ?? "") : readText(name).trim()
  if (place === "") throw new UsageError(`${option} ${withoutSignIn(given)} is empty.`)
  // What is not a URL is taken for a directory and shown; of this the password would be.
  if (!/^postgres(ql)?:\/\//.test(place) && (kind !== undefined || IS_ADDRESS.test(place))) {
    const what = kind === undefined ? option : `${option} ${given}`
    throw new UsageError(`${what} must be a URL such as postgres://user@host:5432/database.`)
  }
  return place
}

function asText({ from, to, tables, delivered }: Moved): string {
  const all = Object.values(tables)
  const rows = all.reduce((sum, table) => sum + table.rows, 0)
  return (
    `Copied ${rows.toLocaleString("en")} rows in ${all.length} tables from ${from} to ${to}.\n` +
    `Verified: every table reads back equal, and totals add up to ${delivered.toLocaleString("en")}.\n` +
    "Start the server on the new place. The old one is unchanged: keep it as long as you like, but do not start a server on it."
  )
}
