import webPush from 'web-push'

/** Prints a new VAPID key pair as two environment variables. */
export function printVapidKeys(): void {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  process.stdout.write(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\n`)
}
