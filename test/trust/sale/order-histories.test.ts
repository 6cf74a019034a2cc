import { test } from "bun:test"
import { playHistories } from "../../domain/sale/order-model.ts"

test("a hundred thousand histories of orders go as a model has them", () => playHistories(100_000), 600_000)
