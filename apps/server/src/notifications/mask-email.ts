/** The address with most of its name hidden. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1•••')
