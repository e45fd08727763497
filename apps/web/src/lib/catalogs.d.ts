declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** Missing from TypeScript's DOM, and from browsers other than Chromium. */
interface CloseWatcher extends EventTarget {
  destroy: () => void
}

interface Window {
  CloseWatcher?: new () => CloseWatcher
  /** Started by public/boot.js before anything else: does the backend answer? */
  availability?: Promise<boolean>
  /** Responses that public/boot.js requested for the place of the hash, by URL. */
  earlyResponses?: Record<string, Promise<Response>>
}
