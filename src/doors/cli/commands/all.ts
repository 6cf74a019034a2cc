import type { AddCommand } from "../command.ts"
import { backupCommand } from "./backups.ts"
import { callsCommand } from "./calls.ts"
import { doctorCommand } from "./doctor.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { agentKeyCommand, keyCommand } from "./keys.ts"
import { lineCommand } from "./line.ts"
import { moveCommand } from "./move.ts"
import { reportCommand } from "./report.ts"
import { serveCommand } from "./serve.ts"
import { userCommand } from "./user.ts"

export type CommandGroups = Readonly<Record<string, readonly AddCommand[]>>

// The help lists them in this order: what a newcomer needs comes first.
export const COMMANDS: CommandGroups = {
  "Start:": [serveCommand, doctorCommand],
  "What you sell:": [importCommand, exportCommand, lineCommand],
  "Keys and people:": [keyCommand, agentKeyCommand, userCommand],
  "Figures and calls:": [reportCommand, callsCommand],
  "Backups and moving:": [backupCommand, moveCommand],
}
