/** Returns a function that sleeps for `ms`, and one that ends the sleep; if none sleeps, the next sleep ends at once. */
export function createSleep(ms: number): { sleep(): Promise<void>; wake(): void } {
  let isWoken = false
  let endSleep = () => {}
  return {
    async sleep() {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          endSleep = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isWoken = false
    },
    wake() {
      isWoken = true
      endSleep()
    },
  }
}
