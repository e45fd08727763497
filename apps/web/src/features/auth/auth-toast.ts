import { toast } from '../../lib/toasts.ts'

let last: string | null = null

/** One toast for the whole way in: what is said about a later step takes the place of what was said about an earlier. */
export function showAuthToast(type: 'success' | 'error', title: string, message?: string): void {
  if (last !== null) toast.dismiss(last)
  last = toast[type](title, message)
}
