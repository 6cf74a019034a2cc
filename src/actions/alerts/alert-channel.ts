import type { AlertChannelName } from "../../domain/alerts/alert.ts"
import { type AlertContent, TEST_CONTENT } from "../../domain/alerts/alert-content.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import type { Context } from "../context.ts"
import { newId } from "../new-id.ts"

/** A message as it is sent. */
export interface OutgoingAlert {
  /** The same for every attempt, so that a receiver notices one that it got already. */
  readonly id: string
  readonly at: Moment
  readonly content: AlertContent
  /** The address of this installation, which links start with. */
  readonly origin: string
}

/** A way to reach the operator. */
export interface AlertChannel {
  readonly name: AlertChannelName
  /** Where it goes, for people, without secrets. */
  readonly target: string
  /**
   * Sends it. Returns what went wrong although somebody got it, or null. Throws an error whose message says why nobody did, without
   * secrets. Ends within a minute, and soon after `stopped`.
   */
  send(message: OutgoingAlert, stopped?: AbortSignal): Promise<string | null>
}

/** Sends a test message over every channel, and says what became of each. */
export function testChannels(
  { random, clock }: Pick<Context, "random" | "clock">,
  channels: readonly AlertChannel[],
  origin: string,
) {
  return Promise.all(
    channels.map(async (channel) => {
      const message = { id: newId(random), at: clock(), content: TEST_CONTENT, origin }
      const { sent, problem } = await channel.send(message).then(
        (remark) => ({ sent: true, problem: remark }),
        (cause: unknown) => ({ sent: false, problem: messageOf(cause) }),
      )
      return { channel: channel.name, to: channel.target, sent, problem }
    }),
  )
}
