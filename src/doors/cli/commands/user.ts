import { Argument, type Command } from "commander"
import { hashPassword } from "../../../actions/people/hash-password.ts"
import { removeMember } from "../../../actions/people/members.ts"
import { issuePasswordLink, issueSetupLink } from "../../../actions/people/one-time-links.ts"
import { passwordProblem } from "../../../actions/people/passwords.ts"
import { createUser, editUser, removeUser, type UserChange, type UserEdit } from "../../../actions/people/users.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { MemberRole, Name } from "../../../domain/people/organization.ts"
import { Email, normalEmail, SETUP_LINK_MINUTES, type User } from "../../../domain/people/user.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import {
  type AskingOptions,
  type CliContext,
  type CommonOptions,
  confirmed,
  onStore,
  withData,
  withDataAndQuestion,
  withSettings,
} from "../context.ts"
import { explained } from "../help.ts"
import { print } from "../io.ts"
import { type List, printList } from "../output/table.ts"
import { findOrganization, linkTo } from "../stored.ts"

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
  explained(user, {
    examples: [
      ["user create --email ada@example.com --name Ada --org acme-audio --role admin"],
      ["user link --email ada@example.com", "for somebody who forgot the password"],
      ["user role ada@example.com operator"],
      ["user list --org acme-audio"],
      ["user reset-2fa ada@example.com"],
    ],
  })
  addSetupLink(user, context)
  addCreate(user, context)
  addList(user, context)
  addLink(user, context)
  addRole(user, context)
  addRemove(user, context)
  addResetTwoFactor(user, context)
}

function addSetupLink(user: Command, context: CliContext): void {
  const setupLink = withSettings(withData(user.command("setup-link")), "publicUrl")
    .description("print a one-time link to create the first operator")
    .action(async (options: CommonOptions) => {
      const link = await onStore(context, options, async (on, config) =>
        linkTo(on.store, config, await issueSetupLink(on)),
      )
      if (link === null)
        throw new UserError(
          'There is already an operator. "adbooth user link --email ADDRESS" makes a new password link.',
        )
      const text = `Open this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${link}\n`
      print(context.io, options, { link, minutes: SETUP_LINK_MINUTES }, text)
    })
  explained(setupLink, {
    notes: ['It works once. "adbooth user create --operator" makes more operators.'],
    examples: [["user setup-link"], ["user setup-link --public-url https://ads.example.com"]],
  })
}

function addCreate(user: Command, context: CliContext): void {
  const create = withSettings(withData(user.command("create")), "publicUrl")
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
  explained(create, {
    examples: [
      ["user create --email ada@example.com --name Ada --org acme-audio --role admin"],
      ["user create --email olga@example.com --name Olga --operator"],
      ["user create --email olga@example.com --name Olga --operator --password-stdin < password.txt"],
    ],
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

const USERS: List<User> = {
  columns: [
    { title: "EMAIL", text: ({ email }) => email },
    { title: "NAME", text: ({ name }) => name, shrinks: true },
    { title: "ROLES", text: rolesOf, shrinks: true },
    { title: "PASSWORD", text: ({ hasPassword }) => (hasPassword ? "set" : "not set"), optional: 2 },
    { title: "2FA", text: ({ hasTotp }) => (hasTotp ? "on" : "off"), optional: 1 },
  ],
  asJson: (one) => ({
    email: one.email,
    name: one.name,
    operator: one.isOperator,
    password_set: one.hasPassword,
    two_factor: one.hasTotp,
    memberships: one.memberships.map(({ organization, role }) => ({ organization, role })),
  }),
  empty: 'No users yet. "adbooth user setup-link" prints a link that creates the first operator.',
}

function rolesOf({ isOperator, memberships }: User): string {
  const roles = memberships.map(({ organization, role }) => `${role} of ${organization}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ") || "-"
}

function addList(user: Command, context: CliContext): void {
  withData(user.command("list"))
    .description("list accounts with their roles")
    .option("--org <SLUG>", "only members of this organization")
    .action(async (options: CommonOptions & { org?: string }) => {
      const users = await onStore(context, options, async ({ store }) => {
        const all = await store.users.list()
        if (options.org === undefined) return all
        const { id } = await findOrganization(store, options.org)
        return all.filter(({ memberships }) => memberships.some(({ organizationId }) => organizationId === id))
      })
      const empty = options.org === undefined ? USERS.empty : `Nobody belongs to ${options.org}.`
      printList(context.io, options, users, { ...USERS, empty })
    })
}

function addLink(user: Command, context: CliContext): void {
  const link = withSettings(withData(user.command("link")), "publicUrl")
    .description("print a one-time link to set a new password")
    .requiredOption("--email <ADDRESS>", "the person's address")
    .action(async (options: CommonOptions & { email: string }) => {
      const url = await onStore(context, options, async (on, config) => {
        const { id } = await findUser(on.store, options.email)
        return linkTo(on.store, config, await issuePasswordLink(on, id, "command"))
      })
      print(context.io, options, { email: normalEmail(options.email), link: url }, `${url}\n`)
    })
  explained(link, { examples: [["user link --email ada@example.com"]] })
}

function addResetTwoFactor(user: Command, context: CliContext): void {
  withDataAndQuestion(user.command("reset-2fa"))
    .description("turn off two-factor codes for somebody who lost the phone, and end this person's sessions")
    .argument("<EMAIL>", "the person's address")
    .action(async (email: string, options: AskingOptions) => {
      await confirmed(context, options, `Turn off two-factor codes for ${email}?`)
      const { resetTwoFactor } = await import("../../../actions/people/two-factor.ts")
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

export function addRole(user: Command, context: CliContext): void {
  const command = withData(user.command("role"))
    .description("change what somebody may do: in an organization, or as an operator of the installation")
    .argument("<EMAIL>", "the person's address")
    .addArgument(new Argument("<ROLE>", "the new role").choices(ROLES))
    .option("--org <SLUG>", "the organization; somebody who does not belong to it joins")
    .action(async (email: string, role: Role, options: CommonOptions & { org?: string }) => {
      const isOfOrganization = role === "admin" || role === "member"
      if (isOfOrganization !== (options.org !== undefined))
        throw new UsageError(isOfOrganization ? `The role ${role} needs --org.` : `--org does not go with ${role}.`)
      await onStore(context, options, async (on) => {
        const person = await findUser(on.store, email)
        const organization = options.org === undefined ? null : await findOrganization(on.store, options.org)
        const outcome = await editUser(on, person.id, withRole(person, role, organization), { actor: "command" })
        refuseLast(outcome, person)
      })
      const json = { email: normalEmail(email), role, organization: options.org ?? null }
      print(context.io, options, json, `${normalEmail(email)} ${ROLE_WORDS[role](options.org ?? "")}.\n`)
    })
  explained(command, {
    examples: [
      ["user role ada@example.com admin --org acme-audio"],
      ["user role ada@example.com operator", "may do everything in this installation"],
      ["user role ada@example.com no-operator"],
    ],
  })
}

const ROLE_WORDS = {
  admin: (org: string) => `is now an admin of ${org}`,
  member: (org: string) => `is now a member of ${org}`,
  operator: () => "is now an operator",
  "no-operator": () => "is no longer an operator",
} as const

type Role = keyof typeof ROLE_WORDS
const ROLES = Object.keys(ROLE_WORDS)

function withRole({ name, isOperator, memberships }: User, role: Role, organization: Organization | null): UserEdit {
  if (role === "operator" || role === "no-operator") return { name, isOperator: role === "operator", memberships }
  const others = memberships.filter(({ organizationId }) => organizationId !== organization?.id)
  const changed = organization === null ? [] : [{ organizationId: organization.id, role }]
  return { name, isOperator, memberships: [...others, ...changed] }
}

export function addRemove(user: Command, context: CliContext): void {
  const remove = withDataAndQuestion(user.command("remove"))
    .description("remove somebody from an organization, or the whole account with its sessions")
    .argument("<EMAIL>", "the person's address")
    .option("--org <SLUG>", "remove only from this organization; the account stays")
    .action(async (email: string, options: AskingOptions & { org?: string }) => {
      const what = options.org === undefined ? "the account" : `the membership in ${options.org}`
      await confirmed(context, options, `Remove ${what} of ${email}?`)
      await onStore(context, options, async (on) => {
        const person = await findUser(on.store, email)
        if (options.org === undefined) return refuseLast(await removeUser(on, person.id, "command"), person)
        const organization = await findOrganization(on.store, options.org)
        const outcome = await removeMember(on, organization, person.id, "command")
        if (outcome === "not found") throw new UserError(`${person.email} does not belong to ${options.org}.`)
        refuseLast(outcome === "last admin" ? { lastAdminOf: options.org } : outcome, person)
      })
      const address = normalEmail(email)
      const text = options.org === undefined ? "and every session has ended" : `from ${options.org}; the account stays`
      const json = { email: address, organization: options.org ?? null, removed: true }
      print(context.io, options, json, `${address} was removed${options.org === undefined ? "," : ""} ${text}.\n`)
    })
  explained(remove, {
    examples: [
      ["user remove ada@example.com", "the account, from every organization"],
      ["user remove ada@example.com --org acme-audio", "only from this organization"],
    ],
  })
}

/** There is always an operator, and an organization that has an admin keeps one. */
function refuseLast(outcome: UserChange, { email }: User): void {
  if (outcome === "done") return
  if (outcome === "last operator")
    throw new UserError(
      `${email} is the last operator. Make somebody else an operator first: adbooth user role EMAIL operator`,
    )
  if (typeof outcome === "object")
    throw new UserError(
      `${email} is the last admin of ${outcome.lastAdminOf}. Make somebody else an admin there first: adbooth user role EMAIL admin --org ${outcome.lastAdminOf}`,
    )
  throw new UserError("The account was changed at the same time. Run the command again.")
}

export async function findUser(store: StoreReads, email: string): Promise<User> {
  const found = await store.users.findByEmail(normalEmail(email))
  if (found !== null) return found
  throw new UserError(`There is no account for ${email}. "adbooth user list" shows them.`)
}
