/** The address with only the first character of its name shown. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1•••')
