import { expect, test } from "bun:test"
import { bucketProblem } from "../../../src/domain/operations/bucket.ts"

const BUCKET = { bucket: "copies", prefix: "", endpoint: "https://storage.example" }

test.each([
  ["NoSuchBucket", "There is no such bucket"],
  ["InvalidAccessKeyId", "does not know the access key ID"],
  ["SignatureDoesNotMatch", "The secret does not belong"],
  ["RequestTimeTooSkewed", "The clock of this machine is wrong"],
  ["PermanentRedirect", "in another region"],
  ["SlowDown", "Try again in a few minutes"],
  ["QuotaExceeded", "The bucket is full"],
])("what a bucket refuses as %s is said with what to do", (code, advice) => {
  const { message } = bucketProblem(Object.assign(new Error("no"), { code }), BUCKET)
  expect(message).toStartWith("The bucket copies at storage.example cannot be used: ")
  expect(message).toContain(advice)
})
