declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The messages of the admin area (build/browser-catalogs.ts). */
declare module '*.po?admin?lingui' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** Missing from TypeScript's DOM, and from browsers other than Chromium. */
interface CloseWatcher extends EventTarget {
  destroy: () => void
}

interface Window {
  CloseWatcher?: new () => CloseWatcher
  /** Whether the backend responds; public/boot.js requests it first. */
  availability?: Promise<boolean>
  /** Responses that public/boot.js requested for the route of the hash, by URL. */
  earlyResponses?: Record<string, Promise<Response>>
  /** Replaces the loading screen by an error with Try Again; does nothing once the app is drawn. From public/boot.js. */
  showStartError?: () => void
}
