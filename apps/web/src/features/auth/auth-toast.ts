import { toast } from '../../lib/toasts.ts'

let lastToastId: string | null = null

/** One toast for the whole sign-in: each step's message replaces the one before. */
export function showAuthToast(type: 'success' | 'error', title: string, message?: string): void {
  if (lastToastId !== null) toast.dismiss(lastToastId)
  lastToastId = toast[type](title, message)
}
