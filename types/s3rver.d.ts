declare module "s3rver" {
  /** A server of the S3 protocol that keeps its buckets in a folder. */
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
