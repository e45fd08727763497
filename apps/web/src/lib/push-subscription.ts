import { useEffect } from 'react'
import { useUser } from './session.ts'

export const PUSH_WORKER = '/push-worker.js'

/** This browser's subscription to push messages; null without one. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  // Missing in some browsers and outside secure contexts, which their types do not say.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration(PUSH_WORKER)
  const manager: PushManager | undefined = registration?.pushManager
  return (await manager?.getSubscription()) ?? null
}

/** The server then finds the subscription gone. */
async function dropSubscription(): Promise<void> {
  try {
    await (await currentSubscription())?.unsubscribe()
  } catch {
    // Blocked storage or no connection: the next visit without a session tries again.
  }
}

/** Ends push messages in this browser while nobody is signed in. They would reach its next user: a sign-out may not have reached the server. */
export function usePushOfSession(): void {
  const isSignedOut = useUser() === null
  useEffect(() => {
    if (isSignedOut) void dropSubscription()
  }, [isSignedOut])
}
