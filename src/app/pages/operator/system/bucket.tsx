import { saveBucket, type TypedBucket, testBucket } from "../../../../actions/operations/services.ts"
import { bucketInForce, choiceVersion } from "../../../../actions/settings.ts"
import { type Errors, hasErrors } from "../../../../domain/errors.ts"
import {
  BACKUPS_KEPT,
  type BucketSettings,
  bucketInWords,
  readBucketAddress,
} from "../../../../domain/operations/backup.ts"
import { WEB_URL, wholeNumber } from "../../../../domain/operations/setting-kinds.ts"
import { goTo } from "../../../flash.ts"
import type { Texts } from "../../../forms/form.ts"
import { AskLink } from "../../../parts/blocks.tsx"
import { Field } from "../../../parts/fields.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { offForm, SecretField, SetByOption, SYSTEM, serviceForm } from "./service.tsx"

const BUCKET = `${SYSTEM}/bucket`

export const bucketForm = serviceForm({
  title: "Backups elsewhere",
  intro: "Each scheduled backup is copied to a bucket of any S3-compatible storage, and read back once.",
  submit: "Test and save",
  note: "The test writes a small file and deletes it.",
  decided: ({ settings: { from, value } }) =>
    from === "option" && value !== null ? <SetByOption value={bucketInWords(value)} options="--backup-to" /> : null,
  fields: ({ settings: { value } }) => (
    <>
      <Field name="endpoint" label="URL of the storage" hint="Leave it empty for Amazon S3." />
      <div class="cols">
        <Field name="bucket" label="Bucket" required />
        <Field name="folder" label="Folder in the bucket" />
        <Field name="keyId" label="Access key ID" required />
        <SecretField name="secretKey" label="Secret access key" isStored={value !== null} />
        <Field name="region" label="Region" />
        <Field name="keep" label="Keep" inputmode="numeric" unit="copies" required />
      </div>
    </>
  ),
  buttons: ({ settings: { from } }) =>
    from === "app" && <AskLink href={`${BUCKET}/off`} label="Stop copying" about="Stop copying backups" />,
  async find({ context, read }: SignedInVisit) {
    const version = await choiceVersion(read, "secret.bucket")
    return { settings: await bucketInForce(context), version }
  },
  begin: (_, { settings: { value }, version }) => ({
    texts: {
      endpoint: value?.endpoint ?? "",
      bucket: value?.bucket ?? "",
      folder: value?.prefix.slice(0, -1) ?? "",
      region: value?.region ?? "",
      keyId: value?.keyId ?? "",
      keep: String(value?.keep ?? BACKUPS_KEPT),
    },
    version,
  }),
  async save(visit, { settings }, texts, version) {
    const { context, actor } = visit
    const read = readBucket(texts, settings.value)
    if ("errors" in read) return read
    const failed = await testBucket(context, read.bucket)
    if (failed !== null)
      return { errors: { bucket: `The test failed, so nothing was saved. ${failed.problem} ${failed.advice}` } }
    const saved = await saveBucket(context, actor, read.bucket, version)
    if (saved === "changed") return saved
    return goTo(visit, SYSTEM, "The bucket works. Backups are copied to it from now on.")
  },
})

const KEEP = wholeNumber("number", 1, 10_000)

function readBucket(texts: Texts, stored: BucketSettings | null): { bucket: TypedBucket } | { errors: Errors } {
  const { endpoint = "", folder = "", region = "", keyId = "", secretKey = "", keep = "" } = texts
  const place = readBucketAddress(`s3://${texts["bucket"]}${folder === "" ? "" : `/${folder}`}`)
  const isSameService = stored !== null && stored.keyId === keyId && stored.endpoint === (endpoint || null)
  const kept = KEEP.read(keep)
  const errors = {
    ...(endpoint !== "" && WEB_URL.read(endpoint) === null && { endpoint: "Enter a URL that begins with https://." }),
    ...(place === null && { bucket: "Enter the name of the bucket. A folder may have letters, digits, - and /." }),
    ...(!/^[^\s:]+$/.test(keyId) && { keyId: "Enter the ID of the access key." }),
    ...(secretKey === "" && !isSameService && { secretKey: "Enter the secret of this access key." }),
    ...(/\s/.test(secretKey) && { secretKey: "The secret can’t contain spaces." }),
    ...(kept === null && { keep: "Enter a whole number from 1 to 10000." }),
  }
  if (hasErrors(errors) || place === null || kept === null) return { errors }
  const service = { endpoint: endpoint || null, region: region || null }
  return { bucket: { ...place, ...service, keyId, secret: secretKey || null, keep: kept } }
}

export const bucketOffForm = offForm({
  title: "Stop copying backups?",
  text: "The copies that are in the bucket stay there. New backups stay on this server only.",
  submit: "Stop copying",
  cancel: BUCKET,
  turnOff: ({ context, actor }) => saveBucket(context, actor, null),
  done: "Backups are no longer copied.",
})
