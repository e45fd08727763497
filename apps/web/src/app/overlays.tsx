import { AskDialogs } from '../ui/ask-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'

export function Overlays() {
  return (
    <>
      <AskDialogs />
      <Toaster />
    </>
  )
}
