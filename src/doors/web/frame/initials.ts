/** Two letters for a round or square sign: Lighthouse Audio is LA, Fernweh is FE. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && word.toLowerCase() !== "the")
  const [first = "", second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join("").toUpperCase()
}
