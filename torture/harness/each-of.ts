/** Works on the items in their order, so many at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
