import { bucketNote, chooseBucket } from "../../../../actions/operations/bucket.ts"
import { BACKUPS_KEPT, BACKUPS_KEPT_MAX, backupTime, isBackup } from "../../../../domain/operations/backup.ts"
import { bucketInWords, readBucketAddress, type StoredCopy } from "../../../../domain/operations/bucket.ts"
import { InvalidSetting } from "../../../../domain/operations/service-settings.ts"
import { sizeInWords } from "../../../../domain/text/short-text.ts"
import { readNumber } from "../../../../domain/text/typed-number.ts"
import { timeInUtc } from "../../../../domain/time/time-zone.ts"
import { messageOf } from "../../../../domain/user-error.ts"
import { BACKUP, itemAddress, SYSTEM } from "../../frame/navigation.ts"
import { forOperator } from "../../guards.ts"
import { ButtonLink, Empty, PostButton } from "../../parts/blocks.tsx"
import { Field } from "../../parts/form/form.tsx"
import { Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { done, goTo, headedPage, problem } from "../../respond.tsx"
import { type PersonVisit, param } from "../../visit.ts"
import { SecretField, ServiceCard, type ServiceState, serviceRoutes } from "./service.tsx"

const EXAMPLE = "https://s3.example.com"
const PAGE = `${SYSTEM}/bucket`
const BY_OPTION = "The server was started with --backup-to, so this can’t be changed here."
const OFF = "Backups stay on the disk of this server. If the disk fails, they’re gone, too."

async function stateOf({ context }: PersonVisit): Promise<ServiceState> {
  const place = await context.bucket.inForce().catch(() => null)
  if (place === null) return { is: "off", text: OFF }
  const note = await bucketNote(context.store)
  const where = bucketInWords(place)
  if (note === null || (note.copiedAt === null && note.problem === null))
    return { is: "working", facts: [[where, "No copy yet"]] }
  const last = note.copiedAt === null ? "No copy yet." : `Last copy ${timeInUtc(note.copiedAt)}`
  if (note.problem !== null) {
    const meanwhile = `${last}. Backups on this server go on, and the missing copies follow by themselves.`
    return { is: "broken", problem: note.problem, advice: note.advice, meanwhile }
  }
  return {
    is: "working",
    facts: [
      [last, "Read back and compared"],
      [`${note.copies} ${note.copies === 1 ? "copy" : "copies"}, ${sizeInWords(note.bytes)}`, where],
    ],
  }
}

export async function bucketCard(visit: PersonVisit) {
  const state = await stateOf(visit)
  return (
    <ServiceCard title="Backups elsewhere" state={state} form={{ href: PAGE, label: "Add a bucket" }}>
      {state.is !== "off" && <PostButton small action={`${PAGE}/test`} label="Test" />}
      {state.is !== "off" && <ButtonLink small href={`${PAGE}/copies`} label="Restore from it" />}
    </ServiceCard>
  )
}

const formRoutes = serviceRoutes({
  page: PAGE,
  title: "Keep backups elsewhere",
  submit: "Test and save",
  pinned: ({ context }) => (context.bucket.isOption ? BY_OPTION : null),
  intro: "Works with any S3-compatible storage. Each backup is copied there as soon as it is made.",
  async start({ context }) {
    const stored = await context.bucket.inForce()
    return {
      endpoint: stored?.endpoint ?? "",
      bucket: stored === null ? "" : `${stored.bucket}/${stored.prefix}`.replace(/\/$/, ""),
      region: stored?.region ?? "",
      key_id: stored?.keyId ?? "",
      keep: String(stored?.keep ?? BACKUPS_KEPT),
    }
  },
  fields: async ({ context }) => [
    <Field name="endpoint" label="Address of the storage" hint={`Such as ${EXAMPLE}. Leave empty for Amazon S3.`} />,
    <Field name="bucket" label="Bucket" required hint="Its name, and a folder in it if you like: backups/adbooth" />,
    <Field name="region" label="Region" hint="If your provider names one." />,
    <Field name="key_id" label="Access key ID" required autocomplete="off" />,
    <SecretField
      name="secret"
      label="Secret access key"
      required
      isStored={(await context.bucket.inForce()) !== null}
    />,
    <Field name="keep" label="Keep" unit="copies" required />,
  ],
  hint: () => "The test writes a small file, reads it and deletes it. What doesn’t work isn’t saved.",
  read: (form) => form.texts("endpoint", "bucket", "region", "key_id", "keep"),
  async save({ context, actor }, { bucket, keep: kept, region, key_id: keyId, ...typed }, form) {
    const endpoint = typed.endpoint.replace(/\/$/, "")
    const place = readBucketAddress(`s3://${bucket.replace(/^s3:\/\//, "")}`)
    const keep = readNumber(kept, { decimals: 0, max: BACKUPS_KEPT_MAX })
    const secret = form.raw("secret") || ((await context.bucket.storedSecret()) ?? "")
    const errors = {
      ...(!/^(?:https?:\/\/[^/]+)?$/.test(endpoint) && { endpoint: `Enter an address such as ${EXAMPLE}.` }),
      ...(place instanceof InvalidSetting && { bucket: "Enter the name of a bucket, such as my-backups." }),
      ...(keyId === "" && { key_id: "Enter the ID of the access key." }),
      ...(secret === "" && { secret: "Enter the secret of the access key." }),
      ...((!keep.ok || keep.value < 1) && { keep: `Enter a whole number from 1 to ${BACKUPS_KEPT_MAX}.` }),
    }
    if (Object.keys(errors).length > 0 || place instanceof InvalidSetting || !keep.ok) return { errors }
    const wanted = { ...place, endpoint: endpoint || null, region: region || null, keyId, secret, keep: keep.value }
    const failed = await context.bucket.test(wanted)
    if (failed !== null) return { errors: { bucket: `${failed} Nothing was saved.` } }
    await chooseBucket(context, wanted, actor)
    return done(`It works. Each backup is copied to ${bucketInWords(wanted)}.`)
  },
  offLabel: async ({ context }) => (await context.bucket.inForce()) && "Stop copying",
  async turnOff({ context, actor }) {
    await chooseBucket(context, null, actor)
    return done("Backups are no longer copied. The copies that are there stay there.")
  },
  async test({ context }) {
    const failed = await context.bucket.test(null)
    return failed === null ? done("The bucket works.") : problem(failed)
  },
})

const COPIES: readonly Column<StoredCopy>[] = [
  { title: "Made", cell: ({ name }) => <Time at={backupTime(name)} /> },
  { title: "Size", cell: ({ bytes }) => sizeInWords(bytes), numeric: true },
  {
    title: "Actions",
    cell: ({ name }) => (
      <PostButton
        small
        action={itemAddress(`${PAGE}/copies`, name)}
        label="Fetch and check"
        about={`Fetch and check: ${name}`}
      />
    ),
  },
]

async function showCopies(visit: PersonVisit): Promise<Response> {
  const { bucket } = visit.context
  const found = await bucket.copies().catch((cause: unknown) => messageOf(cause))
  if (typeof found === "string") return goTo(visit, SYSTEM, problem(found))
  const copies = found.filter(({ name }) => isBackup(name)).reverse()
  return headedPage(visit, {
    title: "Restore from the bucket",
    trail: [{ href: SYSTEM, label: "System" }],
    intro: "A copy is fetched and checked first. Then you are asked whether it replaces everything.",
    body:
      copies.length === 0 ? (
        <Empty title="No copies yet" text="Backups on this server are copied with the next one at the latest." />
      ) : (
        <Table caption="Copies in the bucket" columns={COPIES} rows={copies} />
      ),
  })
}

/** Brings a copy into the folder of backups, where restoring one begins. */
async function fetchCopy(visit: PersonVisit): Promise<Response> {
  const { backups, bucket } = visit.context
  const name = param(visit, "file")
  if (!isBackup(name)) return goTo(visit, `${PAGE}/copies`, problem("There is no such copy."))
  try {
    const here: readonly string[] = await backups.folder.list().catch(() => [])
    if (!here.includes(name)) await backups.folder.receive(name, bucket.read(name))
    const { problem: why } = await backups.check(name)
    if (why === null) return goTo(visit, itemAddress(BACKUP, name, "restore"), done(`${name} is here, and sound.`))
    return goTo(visit, `${PAGE}/copies`, problem(`${name} cannot be restored: ${why}`))
  } catch (cause) {
    return goTo(visit, `${PAGE}/copies`, problem(`${name} cannot be fetched: ${messageOf(cause)}`))
  }
}

export const bucketRoutes = [
  ...formRoutes,
  forOperator("GET", `${PAGE}/copies`, showCopies),
  forOperator("POST", `${PAGE}/copies/:file`, fetchCopy),
]
