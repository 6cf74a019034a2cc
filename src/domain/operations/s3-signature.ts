import { createHash, createHmac } from "node:crypto"

interface Signer {
  readonly keyId: string
  readonly secret: string
  readonly region: string
}

interface SignedRequest {
  readonly method: string
  /** Its query is sorted and encoded as the signature wants it. */
  readonly url: URL
  readonly body: Uint8Array
}

/** The headers of AWS Signature Version 4, which every S3-compatible service checks. */
export function signedHeaders({ keyId, secret, region }: Signer, { method, url, body }: SignedRequest, now: Date) {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "")
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const digest = createHash("sha256").update(body).digest("hex")
  const signed = "host;x-amz-content-sha256;x-amz-date"
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    `host:${url.host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`,
    signed,
    digest,
  ].join("\n")
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash("sha256").update(canonical).digest("hex")}`
  const key = scope.split("/").reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)
  const signature = hmac(key, text).toString("hex")
  return {
    "x-amz-content-sha256": digest,
    "x-amz-date": time,
    Authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
