declare module 'virtual:catalog/en' {
  const messages: Record<string, string | unknown[]>
  export default messages
}
declare module 'virtual:catalog/fr' {
  const messages: Record<string, string | unknown[]>
  export default messages
}
declare module 'virtual:catalog/ar' {
  const messages: Record<string, string | unknown[]>
  export default messages
}

/** Missing from TypeScript's DOM, and from browsers other than Chromium. */
interface CloseWatcher extends EventTarget {
  destroy: () => void
}

interface Window {
  CloseWatcher?: new () => CloseWatcher
  /** Started by public/boot.js before anything else: does the backend answer? */
  availability?: Promise<boolean>
}
