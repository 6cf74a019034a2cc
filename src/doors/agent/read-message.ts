import type { Failure } from "../../domain/failure.ts"
import { type MaybePromise, thenMaybe } from "../../domain/maybe-promise.ts"
import { closeUnlessShort, readBody } from "../http/read-body.ts"
import { wrongContentType } from "../http/read-json.ts"
import { INVALID_REQUEST, type RpcMessage, readMessage } from "./rpc.ts"

/** A body that was not taken. */
export interface RefusedBody {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MessageLimits {
  readonly bytesMax: number
  readonly valuesMax: number
  /** What a body that takes a while to read waits for once it is there. */
  readonly before?: () => Promise<void>
}

/** The message of a request, or why its body was not taken. */
export function readMessageBody(
  request: Request,
  { bytesMax, valuesMax, before }: MessageLimits,
): MaybePromise<RpcMessage | RefusedBody> {
  const unsupported = wrongContentType(request)
  if (unsupported !== undefined) return refused(unsupported, closeUnlessShort(request, bytesMax))
  const read = (bytes: Uint8Array | Failure) => {
    if (!(bytes instanceof Uint8Array)) return refused(bytes)
    const message = readMessage(bytes, valuesMax)
    return "code" in message ? { ...message, status: 400, headers: {} } : message
  }
  const body = readBody(request, { bytesMax })
  return before === undefined ? thenMaybe(body, read) : readLater(body, before, read)
}

async function readLater<Body, Read>(
  body: MaybePromise<Body>,
  before: () => Promise<void>,
  read: (body: Body) => Read,
): Promise<Read> {
  const arrived = await body
  await before()
  return read(arrived)
}

function refused({ status, detail, headers }: Failure, more: RefusedBody["headers"] = {}): RefusedBody {
  return { status, code: INVALID_REQUEST, message: detail, headers: { ...headers, ...more } }
}

/** The id to answer with, as far as one is known. */
export function idOf(message: RpcMessage | RefusedBody): string | null {
  return "id" in message ? message.id : null
}
