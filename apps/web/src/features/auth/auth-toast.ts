import { toast } from '../../lib/toasts.ts'

let lastToastId: string | null = null

/** One toast for the whole way in: what is said about a later step takes the place of what was said about an earlier. */
export function showAuthToast(type: 'success' | 'error', title: string, message?: string): void {
  if (lastToastId !== null) toast.dismiss(lastToastId)
  lastToastId = toast[type](title, message)
}
