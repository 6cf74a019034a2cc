import { type CheckLevel, type Finding, runChecks } from "../../../src/actions/checks.ts"
import type { Context } from "../../../src/actions/context.ts"
import { sendLetter } from "../../../src/actions/mail.ts"
import { type Choices, choose, saveNote } from "../../../src/actions/settings.ts"
import { JOBS } from "../../../src/jobs/index.ts"

/** Does what the server does by the clock, once and now: "backups", "alerts", "alert messages" or "upkeep". */
export async function runJob(context: Context, name: string): Promise<void> {
  const job = JOBS.find((job) => job.name === name)
  if (job === undefined) throw new Error(`There is no job ${name}.`)
  await job.run(context, new AbortController().signal)
}

/** Looks for alerts and sends what there is to send. */
export async function lookForAlerts(context: Context): Promise<void> {
  await runJob(context, "alerts")
  await runJob(context, "alert messages")
}

/** Chooses a setting as an operator does in the app. */
export async function chooseInApp<Name extends keyof Choices>(
  context: Context,
  name: Name,
  choice: Choices[Name] | null,
): Promise<void> {
  await choose(context, "test", name, choice)
}

/** Which checks of a level fail: "ready" is what the probe runs, "system" the page, "doctor" the command. */
export async function failedChecks(context: Context, level: CheckLevel): Promise<string[]> {
  const findings = await runChecks(context, level)
  return findings.filter(({ ok }) => !ok).map(({ check }) => check)
}

/** What a check says, and its advice. */
export async function findingOf(context: Context, check: string): Promise<Finding> {
  const finding = (await runChecks(context, "doctor")).find((finding) => finding.check === check)
  if (finding === undefined) throw new Error(`There is no finding ${check}.`)
  return finding
}

/** Notes how something went, as the server does. */
export const noteAs: typeof saveNote = saveNote

/** Runs a statement that no action of the program would run. */
export const breakData = (context: Context, statement: string): Promise<unknown> =>
  context.database.transact((tx) => tx.rows(statement, [], {}))

/** Sends a letter that nobody waits for. */
export const sendSomething = (context: Context) =>
  sendLetter(context, { to: "somebody@example.com", subject: "A letter", text: "Hello.\n" })

/** How many rows a table has: "refusal", or "refusal WHERE status = 401". */
export async function rowsIn({ database }: Context, table: string): Promise<number> {
  const [row] = await database.read.rows(`SELECT count(*) AS count FROM ${table}`, [], { count: Number })
  return row?.count ?? 0
}
