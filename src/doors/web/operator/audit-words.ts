import type { ListedAuditEntry } from "../../../storage/port/store.ts"
import { formatCount } from "../parts/format.tsx"

// Entries of the audit trail as sentences: "Ada switched on two-factor sign-in".

/** Names of what entries refer to by id. */
export interface Names {
  /** By "user:12". */
  readonly people: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
  readonly products: ReadonlyMap<string, string>
  /** By what they are, and their slug or id: "campaign autumn". */
  readonly others: ReadonlyMap<string, string>
}

// Actors that are not people.
export const ACTORS: Readonly<Record<string, string>> = {
  command: "The command line",
  import: "An import",
  setup: "The server",
  requester: "The buyer",
  time: "A deadline",
  stranger: "Somebody on the sign-in page",
}

/** What was done, with the subject in words; "the line" where it is only an id, which stands beside the sentence. */
const DONE: Readonly<Record<string, string>> = {
  "accept invitation": "accepted an invitation",
  "accept order": "accepted an order",
  "offer order": "offered other terms for an order",
  "decline order": "declined an order",
  "withdraw order": "withdrew an order",
  "end order": "ended an order",
  "place order": "ordered a product",
  "save statement": "saved a draft of a statement",
  "freeze statement": "froze the statement {subject}",
  "pay statement": "marked the statement {subject} as paid",
  "cancel statement": "cancelled the statement {subject}",
  "discard statement": "discarded a draft of a statement",
  "change take_orders": "switched orders {setting}",
  "create order_link": "made an order link for {label}",
  "end order_link": "ended an order link",
  "add member": "added {person}",
  "archive campaign": "archived the campaign {named}",
  "archive line": "archived a line",
  "change agent_contact": "named {subject} as the contact for buyers",
  "change agent_delivery": "switched delivery figures for agents {setting}",
  "change agent_key": "changed the buyer of the key {label}",
  "change call_log_days": "changed how long requests are kept",
  "change listing": "changed what is published for buyers’ agents",
  "take over settings": "stored settings of the version before",
  "change alert_to": "sent alerts to {subject}",
  "change backup_schedule": "changed the backup schedule",
  "change bucket": "changed where backups are copied to",
  "change https": "changed the domain for HTTPS",
  "change mail": "changed the mail server",
  "change logo": "changed the logo of {organization}",
  "close product": "hid {product} from {key}",
  "create agent_key": "created the key {label}",
  "create campaign": "created the campaign {named}",
  "create ingest_key": "created the API key {label}",
  "create line": "added a line",
  "create operator": "created the operator {subject}",
  "create organization": "added the organization {named}",
  "create share_link": "shared a campaign with {label}",
  "create user": "added {subject}",
  "delete format": "deleted the format {named}",
  "delete product": "deleted the product {product}",
  "dismiss alerts": "chose to do without alerts",
  "disable two_factor": "switched off two-factor sign-in",
  "discard upload": "discarded the file {file}",
  "download backup": "downloaded the backup {subject}",
  "edit campaign": "edited the campaign {named}",
  "edit line": "edited a line",
  "edit member": "changed the role of {person}",
  "edit organization": "edited the organization {named}",
  "edit user": "edited {subject}",
  "change own name": "changed their own name to {subject}",
  "upload backup": "uploaded the backup {subject}",
  "enable two_factor": "switched on two-factor sign-in",
  "end session": "ended a session",
  "end sessions": "signed out everywhere",
  "hide format": "hid the format {named}",
  "import file": "imported a file",
  "invite member": "invited {subject}",
  "issue password_link": "created a password link for {person}",
  "issue setup_link": "created a set-up link",
  "make backup": "made a backup",
  "remove affiliate_code": "deleted the affiliate code {subject}",
  "remove campaign": "deleted the campaign {named}",
  "remove line": "deleted a line",
  "remove logo": "removed the logo of {organization}",
  "remove member": "removed {person}",
  "remove organization": "deleted the organization {named}",
  "remove user": "removed {subject}",
  "report upload": "reported the file {file}",
  "reset two_factor": "reset two-factor sign-in for {subject}",
  "restore backup": "restored the backup {subject}",
  "revoke agent_key": "revoked the key {label}",
  "revoke ingest_key": "revoked an API key",
  "revoke share_link": "revoked a share link",
  "save format": "saved the format {named}",
  "save product": "saved the product {product}",
  "set password": "set a new password",
  "unarchive campaign": "restored the campaign {named}",
  "unarchive line": "restored a line",
  "use recovery_code": "signed in with a recovery code",
  "withdraw delivery_report": "withdrew a report",
  "withdraw delivery_reports": "withdrew {reports}",
  "withdraw invitation": "withdrew the invitation for {subject}",
  "open product": "showed {product} to {key}",
}

const whoOf = ({ actor, email }: ListedAuditEntry, { people }: Pick<Names, "people">): string =>
  people.get(actor) ?? email ?? ACTORS[actor] ?? "A former user"

export function sentenceOf(entry: ListedAuditEntry, names: Names): string {
  const { action, subject } = entry
  const details = (entry.details ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string) => (typeof details[name] === "string" ? details[name] : undefined)
  const who = whoOf(entry, names)
  const person = names.people.get(subject) ?? subject
  if (action === "add member" && person === who) return `${who} joined`
  const nameOf = (kind: string) => names.others.get(`${kind} ${subject}`) ?? nameIn(details) ?? subject
  const said: Readonly<Record<string, string | undefined>> = {
    subject,
    named: nameOf(action.split(" ").at(-1) ?? ""),
    organization: nameOf("organization"),
    label: text("label"),
    setting: text("agent_delivery") ?? text("take_orders"),
    file: text("fileName"),
    reports: typeof details["reports"] === "number" ? formatCount(details["reports"], "report") : "several reports",
    person,
    key: names.keys.get(subject) ?? "a key",
    product: names.products.get(text("productId") ?? subject) ?? text("productId") ?? subject,
  }
  const done = (DONE[action] ?? action.replaceAll("_", " ")).replace(/\{(\w+)\}/g, (_, name) => said[name] ?? "")
  return `${who} ${done.trimEnd()}`
}

/** What something was called that may be gone. */
function nameIn({ name, after }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name === "string") return name
  return typeof after === "object" && after !== null ? nameIn(after as Record<string, unknown>) : undefined
}
