import { expect, test } from "bun:test"
import { signedHeaders } from "../../../src/domain/operations/backup.ts"

// The examples of the documentation of Amazon S3, "Signature Calculations for the Authorization Header".
const SIGNER = {
  keyId: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
}

test.each([
  ["?lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("requests are signed as in the documentation of Amazon S3: %s", (query, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com/${query}`)
  const request = { method: "GET", url, body: new Uint8Array() }
  const { Authorization } = signedHeaders(SIGNER, request, new Date("2013-05-24T00:00:00Z"))
  expect(Authorization).toEndWith(`Signature=${signature}`)
})
