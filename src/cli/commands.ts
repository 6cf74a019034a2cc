import type { Command } from "commander"
import { registerBackup } from "./commands/backup.ts"
import { registerCalls } from "./commands/calls.ts"
import { registerDoctor } from "./commands/doctor.ts"
import { registerImport } from "./commands/import.ts"
import { registerBuyerKey, registerKey } from "./commands/keys.ts"
import { registerLine } from "./commands/line.ts"
import { registerExport, registerMove } from "./commands/move.ts"
import { registerReport } from "./commands/report.ts"
import { registerUser } from "./commands/user.ts"
import type { Program } from "./context.ts"

/** Adds all commands but `serve`. */
export function registerOthers(root: Command, program: Program): void {
  registerDoctor(root, program)
  root.commandsGroup("Catalog and delivery:")
  registerImport(root, program)
  registerExport(root, program)
  registerLine(root, program)
  registerReport(root)
  registerCalls(root, program)
  root.commandsGroup("Keys and people:")
  registerKey(root, program)
  registerBuyerKey(root, program)
  registerUser(root, program)
  root.commandsGroup("Data:")
  registerBackup(root, program)
  registerMove(root, program)
}
