import { type ToastAction, toast } from './toasts.ts'

/** The translated texts of a toast: its title alone, or with a message, a button and a warning in a toast of its own. */
export type SuccessToast =
  | string
  | { title: string; message?: string; action?: ToastAction; warning?: { title: string; message?: string } }

export type ShowToast = (type: 'success' | 'error', title: string, message?: string) => void

const showPlainToast: ShowToast = (type, title, message) => void toast[type](title, message)

/** Shows the toast of a success: by `showToast`, unless it has an action. */
export function showSuccess(texts: SuccessToast, showToast: ShowToast = showPlainToast): void {
  if (typeof texts === 'string') return showToast('success', texts)
  const { title, message, action } = texts
  if (action) toast.show({ type: 'success', title, message, action })
  else showToast('success', title, message)
  if (texts.warning) toast.warning(texts.warning.title, texts.warning.message)
}
