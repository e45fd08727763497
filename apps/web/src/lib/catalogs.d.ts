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

interface Window {
  /** Started by public/boot.js before anything else: does the backend answer? */
  availability?: Promise<boolean>
}
