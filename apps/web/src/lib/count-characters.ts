/** The length of a text in code points, as the server compares it with a maximum: an emoji is one or more. */
export const countCharacters = (text: string): number => Array.from(text).length
