import { onTestFinished } from 'vitest'
import { type OpenDialog, useOpenDialog } from '../src/lib/dialogs.ts'

/** Collects the dialogs opened from now on, until the test ends. */
export function trackOpenedDialogs(): OpenDialog[] {
  const opened: OpenDialog[] = []
  onTestFinished(useOpenDialog.subscribe((dialog) => dialog && opened.push(dialog)))
  return opened
}
