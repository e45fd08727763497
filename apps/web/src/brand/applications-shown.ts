/** How many of a member's newest applications are loaded at once: the most a list answers. Written once, so that all readers share one query. */
export const APPLICATIONS_SHOWN = 100
