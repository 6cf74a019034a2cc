import type { AddCommand } from "../command.ts"
import { backupCommand } from "./backups.ts"
import { callsCommand } from "./calls.ts"
import { campaignCommand, lineCommand } from "./campaign.ts"
import { formatCommand, productCommand } from "./catalogue.ts"
import { alertsCommand, doctorCommand } from "./doctor.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { agentKeyCommand, keyCommand } from "./keys.ts"
import { moveCommand } from "./move.ts"
import { orderCommand } from "./order.ts"
import { orgCommand } from "./org.ts"
import { healthCommand, openapiCommand, versionCommand } from "./program.ts"
import { reportCommand } from "./report.ts"
import { serveCommand } from "./serve.ts"
import { userCommand } from "./user.ts"

export type CommandGroups = Readonly<Record<string, readonly AddCommand[]>>

// The help lists them in this order: what a newcomer needs comes first.
export const COMMANDS: CommandGroups = {
  "Start:": [serveCommand, doctorCommand, versionCommand],
  "What you sell:": [
    importCommand,
    exportCommand,
    orgCommand,
    campaignCommand,
    lineCommand,
    orderCommand,
    productCommand,
    formatCommand,
  ],
  "Keys and people:": [keyCommand, agentKeyCommand, userCommand],
  "Figures and calls:": [reportCommand, callsCommand],
  "Backups, moving and alerts:": [backupCommand, moveCommand, alertsCommand],
  // For containers and scripts: not shown.
  "Tools:": [healthCommand, openapiCommand],
}
