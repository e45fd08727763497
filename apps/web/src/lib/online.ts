import { useBrowserValue } from './store.ts'

const EVENTS = ['online', 'offline']

/** Whether the browser has a network connection. */
export const useOnline = (): boolean => useBrowserValue(window, EVENTS, () => navigator.onLine)
