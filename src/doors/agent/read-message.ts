import type { Failure } from "../../domain/failure.ts"
import { readBody } from "../http/body/read-body.ts"
import { wrongContentType } from "../http/body/read-json.ts"
import { INVALID_REQUEST, type RpcMessage, readMessage } from "./rpc.ts"

export interface RefusedBody {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MessageLimits {
  readonly bytesMax: number
  readonly valuesMax: number
  /** Awaited before a long body is parsed. */
  readonly before?: () => Promise<void>
}

/** The message of a request, or why its body was refused. */
export async function readMessageBody(
  request: Request,
  { bytesMax, valuesMax, before }: MessageLimits,
): Promise<RpcMessage | RefusedBody> {
  const unsupported = wrongContentType(request)
  if (unsupported !== undefined) return refusedBy(unsupported)
  const bytes = await readBody(request, { bytesMax })
  await before?.()
  if (!(bytes instanceof Uint8Array)) return refusedBy(bytes)
  const message = readMessage(bytes, valuesMax)
  return "code" in message ? { ...message, status: 400, headers: {} } : message
}

export function refusedBy({ status, detail, headers }: Failure): RefusedBody {
  return { status, code: INVALID_REQUEST, message: detail, headers }
}

/** The id to answer with, if it is known. */
export function idOf(message: RpcMessage | RefusedBody): string | null {
  return "id" in message ? message.id : null
}
