/** Whether this program runs as the compiled executable. From source, Bun needs the paths of scripts. */
export const IS_COMPILED = import.meta.path.includes("bunfs") || import.meta.path.includes("~BUN")
