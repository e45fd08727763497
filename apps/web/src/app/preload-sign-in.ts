// A failure is handled when the dialog opens.
const load = () =>
  void Promise.all([import('./dialog-of.tsx'), import('../features/auth/index.tsx')]).catch(() => undefined)

/** Props of a button that opens the sign-in dialog: its scripts load once the button is pressed or focused, before the click. */
export const preloadSignIn = { onPointerDown: load, onFocus: load }
