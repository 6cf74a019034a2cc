import { join } from "node:path"
import { BENCH, BUN, NODE } from "../harness/places.ts"
import { type Running, startServer } from "../harness/process.ts"

/** Starts a reference on the project's own Bun. */
export function startBare(program: string, ...words: readonly string[]): Promise<Running> {
  return startServer([BUN, join(BENCH, "contenders", program), ...words])
}

/** Starts a peer on the machine's Node, as it would run in production. */
export function startPeer(program: string, ...words: readonly string[]): Promise<Running> {
  return startServer([NODE, join(BENCH, "contenders", program), ...words], { NODE_ENV: "production" })
}

/** The command of a reference that is a loop and no server. */
export function loopCommand(program: string, file: string): string[] {
  return [BUN, join(BENCH, "contenders", program), file]
}
