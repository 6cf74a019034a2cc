import { hashPassword } from "../../../actions/people/hash-password.ts"
import { issuePasswordLink, issueSetupLink } from "../../../actions/people/one-time-links.ts"
import { passwordProblem } from "../../../actions/people/passwords.ts"
import { createUser } from "../../../actions/people/users.ts"
import { MemberRole, Name } from "../../../domain/people/organization.ts"
import { Email, normalEmail, SETUP_LINK_MINUTES, type User } from "../../../domain/people/user.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import { group, lists, onData, says } from "../command.ts"
import type { CliContext } from "../context.ts"
import { flagColumn, type List } from "../output/table.ts"
import { linkTo, organizationOf, unknown } from "../stored.ts"

const SETUP_LINK = onData("setup-link", "print a one-time link to create the first operator", {
  settings: ["publicUrl"],
  notes: ['It works once. "adbooth user create --operator" makes more operators.'],
  examples: [["user setup-link"], ["user setup-link --public-url https://ads.example.com"]],
  async run({ config, ...on }) {
    const link = await linkTo(on.store, config, await issueSetupLink(on))
    if (link === null)
      throw new UserError('There is already an operator. "adbooth user link EMAIL" makes a new password link.')
    const text = `Open this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${link}`
    return says({ link, minutes: SETUP_LINK_MINUTES }, text)
  },
})

const CREATE = onData("create", "create an account and print a one-time link to set its password", {
  settings: ["publicUrl"],
  needs: { "--email <ADDRESS>": "the address to sign in with", "--name <NAME>": "the person's name" },
  options: {
    "--org <SLUG>": "the organization to join",
    "--role <ROLE>": "admin or member of that organization (default: member)",
    "--operator": "make this person an operator of the installation",
    "--password-stdin": "read the password from standard input instead",
  },
  examples: [
    ["user create --email ada@example.com --name Ada --org acme-audio --role admin"],
    ["user create --email olga@example.com --name Olga --operator"],
    ["user create --email olga@example.com --name Olga --operator --password-stdin < password.txt"],
  ],
  reads: check,
  async run({ cli, options, config, ...on }) {
    const { email, name, org, role = "member", operator: isOperator = false } = options
    const passwordHash = options.passwordStdin ? await readPassword(cli) : null
    const organization = await organizationOf(on.store, org)
    const membership = organization && { organizationId: organization.id, role: role as MemberRole }
    const made = await createUser(on, { email, name, isOperator, membership, passwordHash }, "command")
    if (made === null)
      throw new UserError(
        `There is already an account for ${normalEmail(email)}. "adbooth user link EMAIL" makes a new link for it.`,
      )
    const link = await linkTo(on.store, config, made.passwordLink)
    const text = link === null ? "The account is ready." : `Set a password with this link within 3 days:\n${link}`
    return says({ email: made.user.email, name: made.user.name, operator: made.user.isOperator, link }, text)
  },
})

const LINK = onData("link <EMAIL>", "print a one-time link to set a new password", {
  settings: ["publicUrl"],
  examples: [["user link ada@example.com", "for someone who forgot the password"]],
  async run({ config, ...on }, email: string) {
    const { id } = await findUser(on.store, email)
    const link = await linkTo(on.store, config, await issuePasswordLink(on, id, "command"))
    return says({ email: normalEmail(email), link }, link)
  },
})

function check({ email, name, role, org }: { email: string; name: string; role?: string; org?: string }) {
  const isRole = role === undefined || checkFor(MemberRole)(role).ok
  const problems = [
    ...(checkFor(Email)(email).ok ? [] : [`--email must be a valid email address; it is "${email}".`]),
    ...(checkFor(Name)(name).ok ? [] : ["--name must have 1 to 200 characters."]),
    ...(isRole ? [] : [`--role must be admin or member; it is "${role}".`]),
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
    { title: "EMAIL", value: ({ email }) => email },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "ROLES", text: rolesOf, shrinks: true },
    flagColumn("PASSWORD", ({ hasPassword }) => hasPassword, ["set", "not set"], { json: "password_set", optional: 2 }),
    flagColumn("2FA", ({ hasTotp }) => hasTotp, ["on", "off"], { json: "two_factor", optional: 1 }),
  ],
  more: ({ isOperator, memberships }) => ({
    operator: isOperator,
    memberships: memberships.map(({ organization, role }) => ({ organization, role })),
  }),
  empty: 'No users yet. "adbooth user setup-link" prints a link that creates the first operator.',
}

function rolesOf({ isOperator, memberships }: User): string {
  const roles = memberships.map(({ organization, role }) => `${role} of ${organization}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ") || "-"
}

const LIST = onData("list", "list accounts with their roles", {
  examples: [["user list"]],
  run: async ({ store }) => lists(await store.users.list(), USERS),
})

const ABOUT_RESET = "turn off two-factor codes for someone who lost their phone, and end their sessions"
const RESET_2FA = onData("reset-2fa <EMAIL>", ABOUT_RESET, {
  examples: [["user reset-2fa ada@example.com"]],
  asks: (_, email) => `Turn off two-factor codes for ${email}?`,
  async run(on, email: string) {
    const { resetTwoFactor } = await import("../../../actions/people/two-factor.ts")
    const outcome = await resetTwoFactor(on, email, "command")
    if (outcome === "unknown") throw noUser(email)
    const address = normalEmail(email)
    const text =
      outcome === "off"
        ? `${address} has no two-factor codes. Nothing was changed.`
        : `Two-factor codes are off for ${address}, and every session has ended.`
    return says({ email: address, reset: outcome === "done" }, text)
  },
})

async function findUser(store: StoreReads, email: string): Promise<User> {
  const user = await store.users.findByEmail(normalEmail(email))
  if (user === null) throw noUser(email)
  return user
}

const noUser = (email: string) => unknown(`account for ${email}`, "user")

export const userCommand = group("user", "manage people who can sign in to the app", {
  below: [SETUP_LINK, CREATE, LIST, LINK, RESET_2FA],
})
