/** What a reader does to move by themself: whatever the page scrolls to for them, it leaves them alone from then on. */
export const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
