import type { Command } from "commander"
import type { Context } from "../../actions/context.ts"
import { publicUrl } from "../../actions/mail.ts"
import { issuePasswordLink, issueSetupLink } from "../../actions/people/links.ts"
import { hashPassword } from "../../actions/people/passwords.ts"
import { resetTwoFactor } from "../../actions/people/sign-in.ts"
import { createUser } from "../../actions/people/users.ts"
import { UserError } from "../../domain/errors.ts"
import { passwordProblem } from "../../domain/people/password.ts"
import { emailProblem, isRole, nameProblem, normalEmail, type Role } from "../../domain/people/person.ts"
import { LINK_DAYS, SETUP_LINK_MINUTES } from "../../domain/people/session.ts"
import { allSeats, allUsers, type User, userByEmail } from "../../storage/people/users.ts"
import { confirm, examples, onData, organizationId, type Program, UsageError, withData, withLinks } from "../context.ts"
import { type Column, printJson, printList, printText } from "../print.ts"

interface CommonOptions {
  readonly json?: true
}

interface CreateOptions extends CommonOptions {
  readonly email: string
  readonly name: string
  readonly org?: string
  readonly role: string
  readonly operator?: true
  readonly passwordStdin?: true
}

interface ResetOptions extends CommonOptions {
  readonly yes?: true
}

/** Adds `adbooth user`. */
export function registerUser(root: Command, program: Program): void {
  const user = root.command("user").description("manage people who sign in to the web app")
  withLinks(user.command("setup-link"))
    .description("print a one-time link to create the first operator")
    .addHelpText("after", examples("user setup-link", "user setup-link --public-url https://ads.example.com"))
    .action((options: CommonOptions) => setupLink(program, options))
  withLinks(user.command("create"))
    .description("create an account, and print a one-time link to set its password")
    .requiredOption("--email <address>", "address to sign in with")
    .requiredOption("--name <name>", "the person's name")
    .option("--org <slug>", "organization that the person belongs to")
    .option("--role <role>", "admin or member of that organization", "member")
    .option("--operator", "make this person an operator of the server")
    .option("--password-stdin", "read the password from standard input, and print no link")
    .addHelpText(
      "after",
      examples(
        "user create --email ada@example.com --name Ada --org acme-audio --role admin",
        "user create --email olga@example.com --name Olga --operator --password-stdin < password.txt",
      ),
    )
    .action((options: CreateOptions) => create(program, options))
  onData(user.command("list"))
    .description("list accounts and their roles")
    .addHelpText("after", examples("user list"))
    .action((options: CommonOptions) => list(program, options))
  withLinks(user.command("link"))
    .argument("<email>", "address of the account")
    .description("print a one-time link to set a new password; an earlier link stops working")
    .addHelpText("after", examples("user link ada@example.com"))
    .action((email: string, options: CommonOptions) => link(program, email, options))
  onData(user.command("reset-2fa"))
    .argument("<email>", "address of the account")
    .description("turn off two-factor codes for a person who lost their phone, and sign them out everywhere")
    .option("--yes", "don't ask for confirmation")
    .addHelpText("after", examples("user reset-2fa ada@example.com"))
    .action((email: string, options: ResetOptions) => resetCodes(program, email, options))
}

async function setupLink(program: Program, { json, ...given }: CommonOptions): Promise<void> {
  const link = await withData(
    program,
    given,
    async (context) => {
      const path = await issueSetupLink(context)
      if (path !== null) return publicUrl(context) + path
      throw new UserError(
        'There is already an operator. "adbooth user link EMAIL" prints a link to set a new password.',
      )
    },
    { mayCreate: true },
  )
  if (json) return printJson({ link, minutes: SETUP_LINK_MINUTES })
  await printText(
    `Open this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${link}\n` +
      "Earlier links work as well, until one of them is used.",
  )
}

async function create(program: Program, options: CreateOptions): Promise<void> {
  const { email, name, org, role, operator, passwordStdin, json, ...given } = options
  const checkedRole = checkPerson(options)
  const passwordHash = passwordStdin ? await readPassword() : null
  const link = await withData(program, given, async (context) => {
    const owner = await organizationId(context, org)
    const seat = owner === null ? null : { organizationId: owner, role: checkedRole }
    const person = { email, name, isOperator: operator === true, seat, passwordHash }
    const created = await createUser(context, "command", person)
    if (created !== null) return created.path === null ? null : publicUrl(context) + created.path
    const advice = `"adbooth user link ${normalEmail(email)}" prints a link to set a new password.`
    throw new UserError(`There is already an account for ${normalEmail(email)}. ${advice}`)
  })
  if (json) return printJson({ email: normalEmail(email), name, operator: operator === true, link })
  await printText(link === null ? "The account is ready." : linkText(link))
}

const linkText = (link: string): string => `Set a password with this link within ${LINK_DAYS} days:\n${link}`

function checkPerson({ email, name, org, role }: CreateOptions): Role {
  const problems = [
    ...(emailProblem(normalEmail(email)) === undefined ? [] : [`--email must be an email address, not "${email}".`]),
    ...(nameProblem(name) === undefined ? [] : ["--name must have 1 to 200 characters."]),
    ...(isRole(role) ? [] : [`--role must be admin or member, not "${role}".`]),
    ...(role === "admin" && org === undefined ? ["--role needs --org."] : []),
  ]
  if (problems.length > 0 || !isRole(role)) throw new UsageError(problems.join("\n"))
  return role
}

async function readPassword(): Promise<string> {
  const password = (await Bun.stdin.text()).replace(/\r?\n$/, "")
  const problem = passwordProblem(password)
  if (problem !== undefined) throw new UsageError(problem)
  return hashPassword(password)
}

async function link(program: Program, email: string, { json, ...given }: CommonOptions): Promise<void> {
  const link = await withData(program, given, async (context) => {
    const { id } = await findUser(context, email)
    return publicUrl(context) + (await issuePasswordLink(context, "command", id))
  })
  if (json) return printJson({ email: normalEmail(email), link })
  await printText(`${linkText(link)}\nIt replaces earlier links.`)
}

async function resetCodes(program: Program, email: string, { yes, json, ...given }: ResetOptions): Promise<void> {
  const isReset = await withData(program, given, async (context) => {
    const { id } = await findUser(context, email)
    await confirm(`Turn off two-factor codes for ${normalEmail(email)}, and sign them out everywhere?`, yes)
    return resetTwoFactor(context, "command", id)
  })
  if (json) return printJson({ email: normalEmail(email), reset: isReset })
  await printText(
    isReset
      ? `Two-factor codes are off for ${normalEmail(email)}, and they are signed out everywhere.`
      : `${normalEmail(email)} has no two-factor codes. Nothing was changed.`,
  )
}

async function findUser({ database }: Context, email: string): Promise<User> {
  const user = await userByEmail(database.read, normalEmail(email))
  if (user === null) throw new UserError(`There is no account for ${email}. "adbooth user list" shows all accounts.`)
  return user
}

interface ListedUser extends User {
  readonly memberships: readonly { readonly organization: string; readonly role: Role }[]
}

async function list(program: Program, { json, ...given }: CommonOptions): Promise<void> {
  const users = await withData(program, given, async ({ database }) => {
    const seats = Map.groupBy(await allSeats(database.read), ({ userId }) => userId)
    const all = await allUsers(database.read)
    const seatsOf = (id: number) => (seats.get(id) ?? []).map(({ slug, role }) => ({ organization: slug, role }))
    return all.map((user) => ({ ...user, memberships: seatsOf(user.id) }))
  })
  await printList(users, COLUMNS, { json, empty: NO_USERS })
}

const NO_USERS = 'No accounts yet. "adbooth user setup-link" prints a link to create the first operator.'

const COLUMNS: readonly Column<ListedUser>[] = [
  { title: "EMAIL", value: "email" },
  { title: "NAME", value: "name", isCut: true },
  { title: "ROLES", json: "memberships", value: "memberships", text: rolesOf, isCut: true },
  { title: "OPERATOR", value: "isOperator", text: null },
  {
    title: "PASSWORD",
    json: "password_set",
    value: "hasPassword",
    text: ({ hasPassword }) => (hasPassword ? "set" : "not set"),
    isOptional: true,
  },
  {
    title: "2FA",
    json: "two_factor",
    value: "hasTwoFactor",
    text: ({ hasTwoFactor }) => (hasTwoFactor ? "on" : "off"),
    isOptional: true,
  },
]

function rolesOf({ isOperator, memberships }: ListedUser): string {
  const roles = memberships.map(({ organization, role }) => `${role} of ${organization}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ") || "-"
}
