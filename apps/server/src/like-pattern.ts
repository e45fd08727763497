/** A pattern for `like` that finds a text anywhere, its own wildcards meant as they stand. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
