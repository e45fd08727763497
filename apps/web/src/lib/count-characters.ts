/** The number of code points, of which the server's maximum lengths are. An emoji may have several. */
export const countCharacters = (text: string): number => Array.from(text).length
