import { describe, expect, test } from "bun:test"
import type { AlertChanges } from "../../../src/actions/alerts/check-alerts.ts"
import type { Alert } from "../../../src/domain/alerts/alert.ts"
import { storageContract } from "./contract.ts"
import { given, need, winners } from "./given.ts"
import type { Store } from "./whole-store.ts"

const nothing: AlertChanges = { began: [], ended: [], messages: [], at: 1, forgetBefore: 0 }

function disk(wishes: Partial<Alert> = {}): Alert {
  const cause = {
    kind: "disk_low",
    subject: "",
    title: "Disk space is low",
    detail: "7 MiB free",
    path: "/app",
  } as const
  return { ...cause, beganAt: 1, endedAt: null, ...wishes }
}

const begin = (store: Store, ...began: Alert[]) => store.alerts.note({ ...nothing, began })
const isDone = (outcome: boolean) => outcome
const message = (id: string) => ({ id, channel: "webhook", content: `{"id":"${id}"}` }) as const

storageContract("alerts", (engine) => {
  describe("alerts", () => {
    test("last from when they are noted until they are over, for every process, and can begin again", async () => {
      await using at = await given(engine)
      const line = disk({ kind: "line_behind", subject: "ü'\"", beganAt: 2 })
      expect(await begin(at.here, line, disk())).toBe(true)
      expect(await at.there.alerts.lasting()).toEqual([disk(), line])
      expect(await at.there.alerts.note({ ...nothing, ended: [disk()], at: 5 })).toBe(true)
      expect(await at.here.alerts.lasting()).toEqual([line])
      const again = disk({ beganAt: 9, detail: "3 MiB free" })
      expect(await begin(at.here, again)).toBe(true)
      expect(await at.there.alerts.lasting()).toEqual([line, again])
    })

    test("are noted by one of several servers, together with their messages", async () => {
      await using at = await given(engine)
      const noted = at.stores.map((store, n) =>
        store.alerts.note({ ...nothing, began: [disk()], messages: [message(`${n}`)] }),
      )
      expect(winners(await Promise.all(noted), isDone)).toBe(1)
      expect(await at.here.alerts.messages(10)).toHaveLength(1)
      const over = { ...nothing, ended: [disk()], at: 2 }
      const ended = at.stores.map((store, n) => store.alerts.note({ ...over, messages: [message(`over ${n}`)] }))
      expect(winners(await Promise.all(ended), isDone)).toBe(1)
      expect(await at.here.alerts.messages(10)).toHaveLength(2)
      // All or nothing: one that is over already keeps the others from being noted.
      const other = disk({ kind: "backup_failed" })
      expect(await at.here.alerts.note({ ...over, began: [other], messages: [message("x")] })).toBe(false)
      expect(await at.there.alerts.lasting()).toEqual([])
      expect(await at.there.alerts.messages(10)).toHaveLength(2)
    })

    test("an attempt is made by one server, and again when it is due", async () => {
      await using at = await given(engine)
      await at.here.alerts.note({ ...nothing, messages: [message("a")], at: 10 })
      await at.here.alerts.note({ ...nothing, messages: [message("b")], at: 20 })
      expect(await at.there.alerts.due(9, 5)).toEqual([])
      const [first] = await at.there.alerts.due(20, 1)
      const fresh = { attempts: 0, sentAt: null, problem: null }
      expect(first).toEqual({ ...message("a"), ...fresh, createdAt: 10, nextAttemptAt: 10 })
      expect((await at.there.alerts.messages(5)).map(({ id }) => id)).toEqual(["b", "a"])
      const begun = at.stores.map((store) => store.alerts.beginAttempt(need(first), 100))
      expect(winners(await Promise.all(begun), isDone)).toBe(1)
      expect((await at.there.alerts.due(99, 5)).map(({ id }) => id)).toEqual(["b"])
      await at.here.alerts.endAttempt("a", { sentAt: null, nextAttemptAt: 50, problem: "no answer" })
      const [again] = await at.there.alerts.due(50, 1)
      expect(again).toMatchObject({ id: "a", attempts: 1, problem: "no answer" })
      expect(await at.there.alerts.beginAttempt(need(again), 200)).toBe(true)
      await at.there.alerts.endAttempt("a", { sentAt: 60, nextAttemptAt: null, problem: null })
      expect(await at.here.alerts.messages(5)).toContainEqual({
        ...message("a"),
        createdAt: 10,
        attempts: 2,
        nextAttemptAt: null,
        sentAt: 60,
        problem: null,
      })
      expect(await at.here.alerts.beginAttempt({ id: "a", attempts: 2 }, 300)).toBe(false)
      expect(await at.here.alerts.beginAttempt({ id: "never", attempts: 0 }, 300)).toBe(false)
    })

    test("what is long over is forgotten, what lasts is not", async () => {
      await using at = await given(engine)
      const old = disk({ kind: "backup_failed" })
      await at.here.alerts.note({ ...nothing, began: [disk(), old], messages: [message("old")], at: 1 })
      await at.here.alerts.note({ ...nothing, ended: [old], messages: [message("new")], at: 5 })
      await at.here.alerts.note({ ...nothing, forgetBefore: 5 })
      expect((await at.there.alerts.messages(5)).map(({ id }) => id)).toEqual(["new"])
      await at.here.alerts.note({ ...nothing, forgetBefore: 6 })
      expect(await at.there.alerts.messages(5)).toEqual([])
      expect(await at.there.alerts.lasting()).toEqual([disk()])
    })
  })
})
