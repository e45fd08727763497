/** Events of a user who scrolls: automatic scrolling stops at the first one. */
export const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
