import { Argument, type Command } from "commander"
import { removeMember } from "../../../../actions/people/members.ts"
import { editUser, removeUser, type UserChange, type UserEdit } from "../../../../actions/people/users.ts"
import type { Organization } from "../../../../domain/people/organization.ts"
import { normalEmail, type User } from "../../../../domain/people/user.ts"
import { UserError } from "../../../../domain/user-error.ts"
import type { StoreReads } from "../../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"
import { findOrganization } from "../../organization.ts"
import { UsageError } from "../../usage-error.ts"

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
  const remove = withData(user.command("remove"))
    .description("remove somebody from an organization, or the whole account with its sessions")
    .argument("<EMAIL>", "the person's address")
    .option("--org <SLUG>", "remove only from this organization; the account stays")
    .action(async (email: string, options: CommonOptions & { org?: string }) => {
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
