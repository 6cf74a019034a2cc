const NUMBER = new Intl.NumberFormat("en")

/** "1,234.5" */
export const inWords = (number: number): string => NUMBER.format(number)
