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
  ["AuthorizationHeaderMalformed", "Enter the region of the bucket"],
  ["InvalidResponse", "is no S3-compatible storage. Check the address"],
])("what a bucket refuses as %s is said with what to do", (code, advice) => {
  const { message } = bucketProblem(Object.assign(new Error("no"), { code }), BUCKET)
  expect(message).toStartWith("The bucket copies at storage.example cannot be used: ")
  expect(message).toContain(advice)
})

test("a page of another program is told as such, without its markup", () => {
  const page = Object.assign(new Error("<!DOCTYPE html><html><body>Sign in</body></html>"), { code: "UnknownError" })
  expect(bucketProblem(page, BUCKET).message).toBe(
    "The bucket copies at storage.example cannot be used: what answers at this address is no S3-compatible storage. Check the address of the storage and this machine’s connection.",
  )
})
