import type { Command } from "commander"
import { createUser } from "../../../actions/people/create-user.ts"
import { hashPassword } from "../../../actions/people/hash-password.ts"
import { issuePasswordLink } from "../../../actions/people/issue-link.ts"
import { resetTwoFactor } from "../../../actions/people/reset-two-factor.ts"
import { passwordProblem } from "../../../actions/people/set-password.ts"
import { MemberRole, Name } from "../../../domain/people/organization.ts"
import { Email, normalEmail } from "../../../domain/people/user.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData, withSettings } from "../context.ts"
import { print, table } from "../io.ts"
import { linkTo } from "../link.ts"
import { findOrganization } from "../organization.ts"
import { UsageError } from "../usage-error.ts"

interface CreateOptions extends CommonOptions {
  readonly email: string
  readonly name: string
  readonly org?: string
  readonly role?: string
  readonly operator?: boolean
  readonly passwordStdin?: boolean
}

export function userCommand(program: Command, context: CliContext): void {
  const user = program.command("user").description("manage people who can sign in to the app")
  addCreate(user, context)
  addList(user, context)
  addLink(user, context)
  addResetTwoFactor(user, context)
}

function addCreate(user: Command, context: CliContext): void {
  withSettings(withData(user.command("create")), "publicUrl")
    .description("create an account and print a one-time link to set its password")
    .requiredOption("--email <ADDRESS>", "the address to sign in with")
    .requiredOption("--name <NAME>", "the person's name")
    .option("--org <SLUG>", "the organization to join")
    .option("--role <ROLE>", "admin or member of that organization (default: member)")
    .option("--operator", "make this person an operator of the installation")
    .option("--password-stdin", "read the password from standard input instead")
    .action(async (options: CreateOptions) => {
      check(options)
      const passwordHash = options.passwordStdin ? await readPassword(context) : null
      const created = await onStore(context, options, async (on, config) => {
        const organization = options.org === undefined ? null : await findOrganization(on.store, options.org)
        const role = (options.role ?? "member") as MemberRole
        const membership = organization === null ? null : { organizationId: organization.id, role }
        const { email, name } = options
        const made = await createUser(
          on,
          { email, name, isOperator: options.operator ?? false, membership, passwordHash },
          "command",
        )
        return made && { ...made, link: await linkTo(on.store, config, made.passwordLink) }
      })
      if (created === null)
        throw new UserError(
          `There is already an account for ${normalEmail(options.email)}. "adbooth user link" makes a new link for it.`,
        )
      const { user, link } = created
      const text = link === null ? "The account is ready.\n" : `Set a password with this link within 3 days:\n${link}\n`
      const json = { email: user.email, name: user.name, operator: user.isOperator, link }
      print(context.io, options, json, text)
    })
}

function check({ email, name, role, org }: CreateOptions): void {
  const problems = [
    ...(checkFor(Email)(email).ok ? [] : [`--email must be a valid email address; it is "${email}".`]),
    ...(checkFor(Name)(name).ok ? [] : ["--name must have 1 to 200 characters."]),
    ...(role === undefined || checkFor(MemberRole)(role).ok
      ? []
      : [`--role must be admin or member; it is "${role}".`]),
    ...(role !== undefined && org === undefined ? ["--role needs --org."] : []),
  ]
  if (problems.length > 0) throw new UsageError(problems.join("\n"))
}

async function readPassword({ io }: CliContext): Promise<string> {
  const password = (await io.readInput()).replace(/\r?\n$/, "")
  const problem = passwordProblem(password)
  if (problem !== undefined) throw new UsageError(problem)
  return hashPassword(password, null)
}

function addList(user: Command, context: CliContext): void {
  withData(user.command("list"))
    .description("list accounts with their roles")
    .action(async (options: CommonOptions) => {
      const users = await onStore(context, options, ({ store }) => store.users.list())
      const json = users.map((one) => ({
        email: one.email,
        name: one.name,
        operator: one.isOperator,
        password_set: one.hasPassword,
        two_factor: one.hasTotp,
        memberships: one.memberships.map(({ organization, role }) => ({ organization, role })),
      }))
      const rows = users.map((one) => [
        one.email,
        one.name,
        [
          ...(one.isOperator ? ["operator"] : []),
          ...one.memberships.map(({ organization, role }) => `${role} of ${organization}`),
        ].join(", "),
        one.hasPassword ? "yes" : "not yet",
      ])
      const empty = 'No users yet. Create the first operator: "adbooth setup-link".'
      print(context.io, options, json, table(["EMAIL", "NAME", "ROLES", "PASSWORD"], rows, empty))
    })
}

function addLink(user: Command, context: CliContext): void {
  withSettings(withData(user.command("link")), "publicUrl")
    .description("print a one-time link to set a new password")
    .requiredOption("--email <ADDRESS>", "the person's address")
    .action(async (options: CommonOptions & { email: string }) => {
      const link = await onStore(context, options, async (on, config) => {
        const found = await on.store.users.findByEmail(normalEmail(options.email))
        if (found === null)
          throw new UserError(`There is no account for ${options.email}. "adbooth user create" makes one.`)
        return linkTo(on.store, config, await issuePasswordLink(on, found.id, "command"))
      })
      print(context.io, options, { email: normalEmail(options.email), link }, `${link}\n`)
    })
}

function addResetTwoFactor(user: Command, context: CliContext): void {
  withData(user.command("reset-2fa"))
    .description("turn off two-factor codes for somebody who lost the phone, and sign this person out")
    .argument("<EMAIL>", "the person's address")
    .action(async (email: string, options: CommonOptions) => {
      const outcome = await onStore(context, options, (on) => resetTwoFactor(on, email, "command"))
      if (outcome === "unknown")
        throw new UserError(`There is no account for ${email}. "adbooth user list" shows them.`)
      const address = normalEmail(email)
      const text =
        outcome === "off"
          ? `${address} has no two-factor codes. Nothing was changed.\n`
          : `Two-factor codes are off for ${address}, and every session has ended.\n`
      print(context.io, options, { email: address, reset: outcome === "done" }, text)
    })
}
