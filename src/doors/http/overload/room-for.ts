import {
  BODY_SECONDS_MAX,
  REQUESTS_AT_A_TIME_MAX,
  ROOM_BYTES,
  ROOM_PART_FOR_STRANGERS,
  ROOM_PART_PER_CALLER,
  SLOW_BODY_SECONDS,
  UNREAD_BYTES_MAX,
} from "../../../domain/limits.ts"
import { Room } from "./room.ts"

/** The room of a server. It grows with the largest body, so that everybody can send one. */
export function roomFor(bodyBytesMax: number): Room {
  const request = ROOM_BYTES / REQUESTS_AT_A_TIME_MAX
  const caller = Math.max(ROOM_BYTES * ROOM_PART_PER_CALLER, request + bodyBytesMax)
  const strangers = Math.max(ROOM_BYTES * ROOM_PART_FOR_STRANGERS, caller)
  return new Room({
    all: Math.max(ROOM_BYTES, strangers + caller),
    strangers,
    caller,
    request,
    unread: UNREAD_BYTES_MAX,
    bodyMs: BODY_SECONDS_MAX * 1_000,
    slowMs: SLOW_BODY_SECONDS * 1_000,
  })
}
